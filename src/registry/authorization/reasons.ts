type ReasonRow = {
  /** `unless_strict`: the publisher says yes and the operator's side is not known to agree. */
  readonly authorizes: 'always' | 'unless_strict' | 'never';
  readonly says: string;
  readonly fix: string;
};

const no = (says: string, fix: string): ReasonRow => ({ authorizes: 'never', says, fix });
const yes = (says: string): ReasonRow => ({ authorizes: 'always', says, fix: 'Nothing.' });
const likely = (says: string, fix: string): ReasonRow => ({ authorizes: 'unless_strict', says, fix });

/** The one table of answers to "is this agent authorized?". What is not known to be a yes is a no. */
export const AUTHORIZATION_REASONS = {
  confirmed: yes(
    'The publisher authorizes the agent, and its operator declares the property with a fitting relationship.',
  ),
  delegation_unspecified: yes(
    'The publisher authorizes the agent without saying how it is delegated, and its operator declares the property.',
  ),
  operator_unknown: likely(
    "The publisher authorizes the agent; the operator's brand.json was not looked at.",
    "Give the operator's brand.json to have its side checked too.",
  ),
  operator_silent: likely(
    "The publisher authorizes the agent; the operator's brand.json does not list the agent.",
    "List the agent's URL in agents of the operator's brand.json.",
  ),
  orphaned: likely(
    "The publisher authorizes the agent; the operator's brand.json does not declare the property.",
    "Declare the property in the operator's brand.json, with the relationship that the publisher states.",
  ),
  no_publisher_file: no(
    'The publisher has no adagents.json that counts.',
    'Serve /.well-known/adagents.json on the publisher domain.',
  ),
  snapshot_stale: no(
    'The snapshot of the registry is not there yet, or older than is allowed.',
    "Read the publisher's own adagents.json, or ask again once the registry has been reached.",
  ),
  superseded: no('The file says that another one took its place.', 'Ask with the file that superseded_by names.'),
  nobody_authorized: no(
    'The file describes inventory and authorizes nobody.',
    'Let the publisher add the agent to authorized_agents.',
  ),
  publisher_revoked: no(
    'The file no longer speaks for this publisher, or did not within the last week.',
    'Ask the manager of the file to end the revocation.',
  ),
  other_publisher: no(
    'The property belongs to another publisher than the one whose file was read.',
    'Ask with the adagents.json of the domain that the property belongs to.',
  ),
  agent_not_listed: no('No entry names the agent.', 'Let the publisher add the URL of the agent to authorized_agents.'),
  agent_url_differs: no(
    'An entry names almost the same URL, but case of the path, final slash and query count.',
    'Write the URL of the entry exactly as the agent is called.',
  ),
  agent_ambiguous: no(
    'Several entries name the agent, and strict readers take none of them.',
    'Put everything that the agent may sell into one entry.',
  ),
  signals_only: no('The agent may resell signals of the domain, not its properties.', 'Add an entry for properties.'),
  property_unknown: no('The file lists no such property of the publisher.', 'Add the property to the file.'),
  property_ambiguous: no('Several properties of the publisher have this id.', 'Give each property an id of its own.'),
  property_not_covered: no(
    'The file lists the property, and no entry of the agent covers it.',
    'Add the property to what the entry selects.',
  ),
  not_yet_effective: no('The authorization has not begun.', 'Ask again when it has.'),
  expired: no('The authorization has ended.', 'Let the publisher renew effective_until.'),
  country_excluded: no('The authorization is limited to other countries.', 'Let the publisher add the country.'),
  country_open: no('The authorization is limited to some countries, and none was asked for.', 'Name the country.'),
  collection_excluded: no(
    'The authorization is limited to other collections.',
    'Let the publisher add the collection.',
  ),
  collection_open: no(
    'The authorization is limited to some collections, and none was asked for.',
    'Name the collection.',
  ),
  placement_excluded: no('The authorization is limited to other placements.', 'Let the publisher add the placement.'),
  placement_open: no('The authorization is limited to some placements, and none was asked for.', 'Name the placement.'),
  exclusive_elsewhere: no(
    'The publisher grants another agent this inventory exclusively.',
    'Let the publisher end the exclusive entry, or this one.',
  ),
  delegation_mismatch: no(
    "The publisher's delegation_type and the operator's relationship contradict each other.",
    'Let both state the same relationship.',
  ),
} as const satisfies Record<string, ReasonRow>;

/** A reason of the table. */
export type AuthorizationReason = keyof typeof AUTHORIZATION_REASONS;
