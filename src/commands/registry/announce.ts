import { secondText } from '../../platform/kernel/clock.js';
import type { RegistryClient } from '../../registry/client/client.js';
import { RegistryError } from '../../registry/client/error.js';
import { publisherProperties } from '../../registry/publish/adagents.js';
import type { PublishedFile } from '../../registry/publish/publish.js';
import type { ConfiguredPublisher } from '../../registry/publish/types.js';

/** The outcome line by line, and files that have to be uploaded beside the others. */
export type Announced = {
  readonly ok: boolean;
  readonly lines: readonly string[];
  readonly files?: readonly { readonly url: string; readonly text: string }[];
};

/**
 * Tells a registry of a publisher: has its adagents.json validated, saves the hosted property, asks for a crawl. A domain
 * that the registry wants proof for gets a challenge, which the next run takes up.
 */
export async function announcePublisher(
  client: RegistryClient,
  publisher: ConfiguredPublisher,
  file: PublishedFile,
): Promise<Announced> {
  const { domain } = publisher;
  const outcomes: Announced[] = [];
  for (const step of [validate, saveProperty, crawl]) {
    outcomes.push(await step(client, publisher, file).catch((error: unknown) => refused(error, domain)));
  }
  return {
    ok: outcomes.every(({ ok }) => ok),
    lines: outcomes.flatMap(({ lines }) => lines),
    files: outcomes.flatMap(({ files = [] }) => files),
  };
}

type Step = (client: RegistryClient, publisher: ConfiguredPublisher, file: PublishedFile) => Promise<Announced>;

const validate: Step = async (client, { domain }) => {
  const { data } = await client.validateAdagents({ domain });
  if (!data.found) return { ok: false, lines: [`  registry: finds no adagents.json at ${domain}`] };
  const { errors = [], valid } = data.validation;
  const shown = errors.map((error) => `    ${typeof error === 'string' ? error : error.message}`);
  return {
    ok: valid,
    lines: [`  registry: ${valid ? 'the served file is valid' : 'the served file is not valid'}`, ...shown],
  };
};

const saveProperty: Step = async (client, publisher, { content }) => {
  const { domain } = publisher;
  const request = {
    publisher_domain: domain,
    authorized_agents: agentsOf(content),
    properties: publisherProperties(publisher).map(({ name, property_type }) => ({ type: property_type, name })),
    contact: publisher.contact === undefined ? undefined : contactOf(publisher.contact),
  };
  try {
    return await saveOrLeave(client, request);
  } catch (error) {
    if (!(error instanceof RegistryError) || error.code !== 'ownership_proof_required') throw error;
    return (await provenOrChallenged(client, domain)) ?? (await saveOrLeave(client, request));
  }
};

/** Saves a property, unless the registry reads the publisher's own file. */
async function saveOrLeave(
  client: RegistryClient,
  request: Parameters<RegistryClient['saveProperty']>[0],
): Promise<Announced> {
  try {
    return reportAnnounced(await client.saveProperty(request));
  } catch (error) {
    if (!(error instanceof RegistryError) || error.status !== 409) throw error;
    return { ok: true, lines: [`  registry: reads ${request.publisher_domain} itself, nothing had to be saved`] };
  }
}

const crawl: Step = async (client, { domain }) => {
  try {
    const { crawl_request_id: id } = await client.requestCrawl({ domain });
    return { ok: true, lines: [`  registry: a crawl is asked for${id === undefined ? '' : ` (${id})`}`] };
  } catch (error) {
    // A crawl that was asked for a moment ago is on its way.
    if (!(error instanceof RegistryError) || error.status !== 429) throw error;
    return { ok: true, lines: ['  registry: a crawl was asked for a moment ago'] };
  }
};

/** Returns what has to be published for a domain; undefined when it is proven now. */
async function provenOrChallenged(client: RegistryClient, domain: string): Promise<Announced | undefined> {
  const proof = await client.verifyOwnership({ domain }).catch((error: unknown) => {
    if (error instanceof RegistryError && error.status >= 400 && error.status < 500) return { verified: false };
    throw error;
  });
  if (proof.verified) return undefined;
  const { dns_record_name, dns_record_value, expires_at, http_body, http_url } = await client.issueOwnership({
    domain,
  });
  return {
    ok: false,
    lines: [
      `  registry: wants proof that ${domain} is yours before ${secondText(expires_at)}`,
      `    fix: Upload ${new URL(http_url).pathname} too, or set the TXT record ${dns_record_name} to ${dns_record_value}; then run this again.`,
    ],
    files: [{ url: http_url, text: http_body }],
  };
}

function contactOf({ email, name }: NonNullable<ConfiguredPublisher['contact']>): { name: string; email?: string } {
  return { name, email: typeof email === 'string' ? email : undefined };
}

function reportAnnounced({ message }: { readonly message: string }): Announced {
  return { ok: true, lines: [`  registry: ${message}`] };
}

function agentsOf(content: object): readonly { readonly url: string; readonly authorized_for: string }[] {
  const { authorized_agents } = content as { authorized_agents: readonly { url: string; authorized_for: string }[] };
  return authorized_agents.map(({ authorized_for, url }) => ({ url, authorized_for }));
}

function refused(error: unknown, domain: string): Announced {
  if (!(error instanceof RegistryError)) throw error;
  const wait = error.retry_after === undefined ? '' : ` Try again in ${error.retry_after} seconds.`;
  const what = error.status === 0 ? 'could not be told' : 'was refused';
  return { ok: false, lines: [`  registry: ${domain} ${what} (${error.code}): ${error.message}.${wait}`] };
}
