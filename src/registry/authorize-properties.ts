import type { EffectiveAdagents } from './adagents-discovery.js';
import type { Property, Selection } from './adagents-types.js';
import { hostPattern } from './domains.js';

/**
 * The properties of the publisher that a file lists. A file of the publisher's own that lists none of them means its site: the one
 * property that needs no listing.
 */
export function publisherProperties({ file, publisherDomain }: EffectiveAdagents): readonly Property[] {
  const listed = file.properties.filter((property) => property.publisher_domain === publisherDomain);
  const host = hostPattern(publisherDomain);
  if (listed.length > 0 || file.unreadProperties > 0 || file.domain !== publisherDomain || host === undefined) {
    return listed;
  }
  return [
    {
      property_type: 'website',
      name: publisherDomain,
      identifiers: [{ type: 'domain', value: publisherDomain }],
      tags: [],
      publisher_domain: publisherDomain,
      hosts: [host],
      pointer: '',
    },
  ];
}

/** What a selector picks of a publisher's properties. An id that stands for two properties stands for none. */
export function selectProperties(properties: readonly Property[], selection: Selection): readonly Property[] {
  switch (selection.selection_type) {
    case 'all':
      return properties;
    case 'by_id':
      return withIds(properties, selection.property_ids);
    case 'by_tag':
      return properties.filter(({ tags }) => tags.some((tag) => selection.property_tags.has(tag)));
  }
}

function withIds(properties: readonly Property[], ids: ReadonlySet<string>): readonly Property[] {
  const found = properties.filter(({ property_id }) => property_id !== undefined && ids.has(property_id));
  const times = new Map<string | undefined, number>();
  for (const { property_id } of found) times.set(property_id, (times.get(property_id) ?? 0) + 1);
  return found.filter(({ property_id }) => times.get(property_id) === 1);
}
