import { findNearest } from '../../platform/kernel/nearest.js';
import { TaskError } from '../../protocol/errors.js';
import type { KeyedAsset } from './transform.js';

/** The events of `Tracking` elements in VAST 4.2 (https://iabtechlab.com/standards/vast/). */
const TRACKING_EVENTS: readonly string[] = [
  'creativeView',
  'loaded',
  'start',
  'firstQuartile',
  'midpoint',
  'thirdQuartile',
  'complete',
  'mute',
  'unmute',
  'pause',
  'resume',
  'rewind',
  'skip',
  'playerExpand',
  'playerCollapse',
  'progress',
  'acceptInvitation',
  'adExpand',
  'adCollapse',
  'minimize',
  'overlayViewDuration',
  'otherAdInteraction',
  'interactiveStart',
  'close',
  'closeLinear',
];

/** Events by their names in VAST 2 and 3. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['fullscreen', 'playerExpand'],
  ['exitFullscreen', 'playerCollapse'],
]);

/** What has an element of its own in VAST, with the kind of asset that says it; undefined where none does. */
const OWN_ELEMENTS: ReadonlyMap<string, string | undefined> = new Map([
  ['impression', 'impression_tracker'],
  ['clickTracking', 'click_tracker'],
  ['viewable', 'viewability_tracker'],
  ['viewableImpression', 'viewability_tracker'],
  ['customClick', undefined],
  ['error', undefined],
  ['notViewable', undefined],
  ['viewUndetermined', undefined],
  ['measurableImpression', undefined],
]);

/** A point of the video: a time or a percentage. */
const OFFSET = /^(\d{2}:[0-5]\d:[0-5]\d(\.\d{3})?|(100|\d{1,2})%)$/;

/** Returns the event of VAST 4.2 that a tracker is called on, by an older name too. Throws VALIDATION_ERROR below `field` for none. */
export function readVastEvent({ vast_event, offset }: KeyedAsset['asset'], field: string): string {
  const sent = typeof vast_event === 'string' ? vast_event : '';
  const event = RENAMED.get(sent) ?? sent;
  if (!TRACKING_EVENTS.includes(event)) {
    throw new TaskError('VALIDATION_ERROR', 'This is no event that a VAST tracker is called on.', {
      field: `${field}.vast_event`,
      details: { found: sent.slice(0, 64), wanted: TRACKING_EVENTS },
      suggestion: suggestEvent(sent),
    });
  }
  if (event === 'progress' && !(typeof offset === 'string' && OFFSET.test(offset))) {
    throw new TaskError('VALIDATION_ERROR', 'A tracker of progress needs the point at which it is called.', {
      field: `${field}.offset`,
      details: { wanted: OFFSET.source },
      suggestion: 'Send an offset such as "00:00:05" or "25%".',
    });
  }
  return event;
}

function suggestEvent(sent: string): string {
  const key = OWN_ELEMENTS.get(sent);
  if (key !== undefined) return `Send the address as an asset of type url under a key such as ${key}.`;
  if (OWN_ELEMENTS.has(sent)) return 'Send a tag of your own (an asset of type vast) that has it, or leave it out.';
  const meant = findNearest(sent, TRACKING_EVENTS);
  return meant === undefined ? 'Send one of the events in details.wanted.' : `Did you mean "${meant}"?`;
}
