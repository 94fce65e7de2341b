/** The groups of the API description, in the order in which it lists them. */
export const TAGS = {
  brands: 'Brand Resolution',
  properties: 'Property Resolution',
  agents: 'Agent Discovery',
  feed: 'Change Feed',
  lookups: 'Lookups & Authorization',
  validation: 'Validation Tools',
  search: 'Search',
  standing: 'Agent Compliance',
  probing: 'Agent Probing',
  ownership: 'Ownership',
  members: 'Member Agents',
  operation: 'Operation',
  about: 'About',
} as const;
