import type { ArrivalFault } from './steps.js';

type ReasonRow = {
  /** Whether waiting may help. */
  readonly isTransient: boolean;
  readonly says: string;
  readonly fix: string;
};

const lasting = (says: string, fix: string): ReasonRow => ({ isTransient: false, says, fix });
const passing = (says: string, fix: string): ReasonRow => ({ isTransient: true, says, fix });

/** What a file that cannot be had or read means, whatever was asked for. */
const COMMON = {
  found: lasting('the file was found.', 'Nothing.'),
  not_a_domain: lasting('this is no domain name.', 'Write a domain such as news.example.'),
  http_error: lasting('the server refuses to hand out the file.', 'Serve it to everybody, with status 200.'),
  server_error: passing('the server has an error.', 'Look into the server; the last good copy is used meanwhile.'),
  html: lasting('a web page is served instead of the file.', 'Serve JSON at the path, or answer 404.'),
  not_json: lasting('the file is not JSON.', 'Correct the file; the findings say where.'),
  invalid: lasting('the file cannot be used.', 'Correct the file; the findings say where.'),
  location_not_https: lasting('authoritative_location is not https.', 'Write an https URL without credentials.'),
  location_not_found: lasting('there is nothing where the file points to.', 'Correct it, or serve the file there.'),
  location_loop: lasting('the file points back to where it came from.', 'Point to the file that has the content.'),
  not_a_url: lasting('the address is not a URL.', 'Write an absolute https URL.'),
  not_https: lasting('the address is not https.', 'Serve the file over https.'),
  credentials: lasting('the address carries a user name or password.', 'Leave credentials out of the URL.'),
  private_address: lasting('the host leads into a private network.', 'Serve the file on the public internet.'),
  unresolved: passing('the host name does not resolve.', 'Check the spelling and the DNS records.'),
  unreachable: passing('nothing answers there.', 'Check that the server is up.'),
  insecure: passing('the certificate is not valid for the host.', 'Serve a valid certificate.'),
  timeout: passing('there was no answer in time.', 'Serve the file from a faster place.'),
  too_large: lasting(
    'the file is too large.',
    'Serve a smaller file; an adagents.json of a network goes behind authoritative_location.',
  ),
  too_many_redirects: lasting('it redirects too often.', 'Serve the file where it is asked for.'),
  broken_answer: passing('the answer breaks off or is not valid HTTP.', 'Check what the server sends.'),
  redirect_not_https: lasting('it redirects to something that is not https.', 'Keep every redirect on https.'),
  redirect_off_site: lasting(
    'it redirects to another domain.',
    'Serve the file there with authoritative_location instead of a redirect.',
  ),
  redirect_refused: lasting(
    'the authoritative location redirects, which is not followed.',
    'Write the final URL into authoritative_location.',
  ),
  redirect_loop: lasting('it redirects in a circle.', 'Serve the file where it is asked for.'),
} as const satisfies Record<ArrivalFault, ReasonRow> & Record<string, ReasonRow>;

/** A reason that every discovery may have. */
export type CommonReason = keyof typeof COMMON;

/** The one table of what the discovery of an adagents.json can come to. */
export const DISCOVERY_REASONS = {
  ...COMMON,
  not_found: lasting(
    'there is no adagents.json, and no manager in ads.txt.',
    'Serve /.well-known/adagents.json on the domain, or name a MANAGERDOMAIN in ads.txt.',
  ),
  ads_txt_unavailable: passing(
    'there is no adagents.json, and ads.txt could not be read just now.',
    'Serve /.well-known/adagents.json, or ads.txt without errors.',
  ),
  manager_not_found: lasting(
    'the manager that ads.txt names serves no adagents.json.',
    'Let the manager serve one, or correct MANAGERDOMAIN.',
  ),
  manager_out_of_scope: lasting(
    "the manager's file does not name the publisher.",
    'Let the manager add the domain to publisher_properties, or serve a file of your own.',
  ),
  location_nested: lasting(
    'the file at authoritative_location points on, and one hop is all that is followed.',
    'Point to the file that has the content.',
  ),
} as const satisfies Record<string, ReasonRow>;

/** A reason of the table. */
export type DiscoveryReason = keyof typeof DISCOVERY_REASONS;

/** The one table of what the discovery of a brand.json can come to. */
export const BRAND_REASONS = {
  ...COMMON,
  not_found: lasting('there is no brand.json.', 'Serve /.well-known/brand.json on the domain.'),
  too_many_hops: lasting('the file points on more than three times.', 'Point to the file that has the content.'),
} as const satisfies Record<string, ReasonRow>;

/** A reason of the table. */
export type BrandReason = keyof typeof BRAND_REASONS;
