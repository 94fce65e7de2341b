import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import type { HttpAnswer } from './http.js';
import { PROJECT } from './surroundings.js';

type Operation = { readonly operationId?: string; readonly responses: Readonly<Record<string, unknown>> };
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

/** An OpenAPI document as an oracle for answers. */
export type Contract = {
  readonly operations: readonly string[];
  /** What is wrong with an answer to an operation; undefined when it is as described. */
  readonly faultOf: (operationId: string, answer: HttpAnswer) => string | undefined;
};

/** The public contract, where the shared material is at hand. */
export function publicContract(): Contract | undefined {
  const text = publicDescription();
  return text === undefined ? undefined : contractOf(text);
}

/** The operations of the public contract as `GET /api`, in its order, where the shared material is at hand. */
export function publicOperations(): readonly string[] | undefined {
  const text = publicDescription();
  if (text === undefined) return undefined;
  return Object.entries((parse(text) as Document).paths).flatMap(([at, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${at}`),
  );
}

function publicDescription(): string | undefined {
  const file = path.join(PROJECT, '..', 'shared', 'schemas', 'registry-3.1.0.yaml');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Reads a description and compiles its schemas when they are asked for. */
export function contractOf(yaml: string): Contract {
  const document = parse(yaml) as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ ...document, $id: 'contract' });
  const places = new Map<string, { readonly path: string; readonly method: string; readonly operation: Operation }>();
  for (const [at, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId !== undefined) places.set(operation.operationId, { path: at, method, operation });
    }
  }
  return {
    operations: [...places.keys()],
    faultOf: (operationId, answer) => {
      const place = places.get(operationId);
      if (place === undefined) return `there is no operation ${operationId}`;
      const response = place.operation.responses[String(answer.status)] as { content?: object } | undefined;
      if (response === undefined)
        return `${operationId} does not describe status ${answer.status}: ${answer.text.slice(0, 300)}`;
      const [media] = Object.keys(response.content ?? {});
      if (media === undefined) return answer.text === '' ? undefined : `${operationId} ${answer.status} has a body`;
      if (media !== 'application/json') return undefined;
      const steps = ['paths', place.path, place.method, 'responses', String(answer.status), 'content', media, 'schema'];
      const pointer = steps
        .map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
        .join('/');
      const check = ajv.getSchema(`contract#/${pointer}`);
      if (check === undefined) return `${operationId} ${answer.status} has no schema`;
      if (check(answer.json())) return undefined;
      return `${operationId} ${answer.status}: ${ajv.errorsText(check.errors)} in ${answer.text.slice(0, 300)}`;
    },
  };
}
