import { escapeXml, isXmlFault, readXml, type XmlElement } from '../../../../creative/vast/xml.js';

/** A value of a SOAP message: members in the order of the schema; lists repeat their element; undefined is left out. */
type SoapValue = string | number | boolean | undefined | SoapObject | readonly SoapValue[];
/** `@type` names the type where the schema has several for an element. */
export type SoapObject = { readonly [member: string]: SoapValue };

/** Who calls, for the header of a message. */
export type SoapCaller = { readonly version: string; readonly networkCode: string; readonly applicationName: string };

const ENVELOPE = 'http://schemas.xmlsoap.org/soap/envelope/';
const INSTANCE = 'http://www.w3.org/2001/XMLSchema-instance';

/** Returns the call of an operation as a SOAP 1.1 message. */
export function writeCall(
  { version, networkCode, applicationName }: SoapCaller,
  operation: string,
  body: SoapObject,
): string {
  const namespace = `https://www.google.com/apis/ads/publisher/${version}`;
  const header = writeMembers({ networkCode, applicationName });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<soapenv:Envelope xmlns:soapenv="${ENVELOPE}" xmlns:xsi="${INSTANCE}">`,
    `<soapenv:Header><RequestHeader xmlns="${namespace}">${header}</RequestHeader></soapenv:Header>`,
    `<soapenv:Body><${operation} xmlns="${namespace}">${writeMembers(body)}</${operation}></soapenv:Body>`,
    '</soapenv:Envelope>',
  ].join('');
}

function writeMembers(members: SoapObject): string {
  return Object.entries(members)
    .filter(([name]) => name !== '@type')
    .map(([name, value]) => writeElement(name, value))
    .join('');
}

function writeElement(name: string, value: SoapValue): string {
  if (value === undefined) return '';
  if (isList(value)) return value.map((one) => writeElement(name, one)).join('');
  if (typeof value !== 'object') return `<${name}>${escapeXml(String(value))}</${name}>`;
  const type = value['@type'];
  const attribute = typeof type === 'string' ? ` xsi:type="${escapeXml(type)}"` : '';
  return `<${name}${attribute}>${writeMembers(value)}</${name}>`;
}

function isList(value: SoapValue): value is readonly SoapValue[] {
  return Array.isArray(value);
}

/** One reason of a fault: `errorString` is a kind and a reason, such as `OrderActionError.PERMISSION_DENIED`. */
type SoapReason = { readonly errorString: string; readonly fieldPath: string; readonly trigger: string };

/** An answer that is read: what the operation returned, or why it did nothing. */
type SoapAnswer =
  | { readonly kind: 'result'; readonly values: readonly XmlElement[] }
  | { readonly kind: 'fault'; readonly message: string; readonly reasons: readonly SoapReason[] };

/** Returns the answer of an operation; undefined for what is no SOAP message. */
export function readAnswer(text: string, operation: string): SoapAnswer | undefined {
  const root = readXml(text);
  if (isXmlFault(root) || root.name !== 'Envelope') return undefined;
  const body = findChild(root, 'Body');
  const fault = body && findChild(body, 'Fault');
  if (fault !== undefined) {
    const detail = findChild(fault, 'detail')?.children[0];
    const reasons = (detail === undefined ? [] : listChildren(detail, 'errors')).map((error) => ({
      errorString: textOf(error, 'errorString'),
      fieldPath: textOf(error, 'fieldPath'),
      trigger: textOf(error, 'trigger'),
    }));
    return { kind: 'fault', message: textOf(fault, 'faultstring'), reasons };
  }
  const response = body && findChild(body, `${operation}Response`);
  return response && { kind: 'result', values: listChildren(response, 'rval') };
}

/** Returns the first element of a name within one. */
function findChild({ children }: XmlElement, name: string): XmlElement | undefined {
  return children.find((child) => child.name === name);
}

/** Returns the elements of a name within one. */
export function listChildren({ children }: XmlElement, name: string): readonly XmlElement[] {
  return children.filter((child) => child.name === name);
}

/** Returns the text of an element within one; empty where it is not there. */
export function textOf(element: XmlElement, name: string): string {
  return findChild(element, name)?.text ?? '';
}

/** Returns an element as a message may carry it on. */
export function toSoapObject({ attributes, children }: XmlElement): SoapObject {
  const members: Record<string, SoapValue> = {};
  if (attributes.type !== undefined) members['@type'] = attributes.type.replace(/^\w+:/, '');
  for (const name of new Set(children.map((child) => child.name))) {
    const values = children.filter((child) => child.name === name);
    members[name] = values.map((child) => (child.children.length === 0 ? child.text : toSoapObject(child)));
  }
  return members;
}
