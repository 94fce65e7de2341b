import { drawn } from './dom.js';

/** The drawing of each family of channels, in a box of 24 by 24. */
const DRAWINGS = {
  screen: ['M3 5h18v11H3z', 'M8 20h8M12 16v4'],
  video: ['M3 5h18v14H3z', 'M10 9l5 3-5 3z'],
  page: ['M4 4h16v16H4z', 'M4 9h16M13 13h4v4h-4zM7 13h3M7 17h3'],
  sound: ['M4 10v4M8 7v10M12 4v16M16 8v8M20 10v4'],
  city: ['M5 3h14v11H5z', 'M12 14v7M9 21h6'],
  words: ['M4 5h16v10H10l-4 4v-4H4z', 'M8 9h8M8 12h5'],
} as const;

const BY_CHANNEL: Readonly<Record<string, keyof typeof DRAWINGS>> = {
  ctv: 'screen',
  linear_tv: 'screen',
  cinema: 'screen',
  gaming: 'screen',
  olv: 'video',
  radio: 'sound',
  streaming_audio: 'sound',
  podcast: 'sound',
  dooh: 'city',
  ooh: 'city',
  social: 'words',
  influencer: 'words',
  native: 'words',
};

/** Channels as people in the trade write them, where that is not their word of the protocol. */
const CHANNEL_NAMES: Readonly<Record<string, string>> = {
  ctv: 'Connected TV',
  olv: 'Online video',
  dooh: 'Digital out of home',
  ooh: 'Out of home',
  linear_tv: 'Linear TV',
};

/** Returns the drawing of a channel. */
export function channelIcon(channel: string | undefined): SVGElement {
  const paths = DRAWINGS[BY_CHANNEL[channel ?? ''] ?? 'page'];
  return drawn(
    'svg',
    { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' },
    paths.map((d) => drawn('path', { d })),
  );
}

/** Returns the name of a channel. */
export function channelName(channel: string): string {
  const name = CHANNEL_NAMES[channel] ?? channel.replaceAll('_', ' ');
  return name.charAt(0).toUpperCase() + name.slice(1);
}
