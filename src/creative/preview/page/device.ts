import { type Html, html } from '../../../platform/web/html.js';
import type { Box, Variant } from '../variant.js';

/** A device that a creative is seen on. */
export type Device = 'phone' | 'handheld' | 'browser' | 'television' | 'screen' | 'speaker';

/** DEVICE_TYPE as buyers write it; the first that a value contains. */
const DEVICES: readonly (readonly [words: RegExp, device: Device])[] = [
  [/ctv|tv|set.?top|console/, 'television'],
  [/phone|mobile|tablet|app/, 'phone'],
  [/desktop|pc|computer|web/, 'browser'],
];

const BY_TYPE: Readonly<Record<string, Device>> = {
  video: 'television',
  dooh: 'screen',
  audio: 'speaker',
  native: 'phone',
};
const MAX_PHONE_WIDTH_PX = 430;

/** Returns the device for a variant: that of its DEVICE_TYPE where the slot fits it, else the usual one of its format. */
export function chooseDevice(box: Box, { model, device: wanted = '' }: Variant): Device {
  const asked = DEVICES.find(([words]) => words.test(wanted))?.[1];
  const isNarrow =
    box.width <= MAX_PHONE_WIDTH_PX && (box.height <= 100 || box.height > box.width * 1.5) && box.width >= 300;
  const isUprightFilm = model.format.type === 'video' && box.height >= box.width;
  const usual = isUprightFilm ? 'handheld' : (BY_TYPE[model.format.type] ?? (isNarrow ? 'phone' : 'browser'));
  return asked === 'phone' && box.width > MAX_PHONE_WIDTH_PX ? usual : (asked ?? usual);
}

/** The screens of devices in CSS pixels, as the common ones of their kind have them; a screen on a street is as large as its slot. */
const SCREENS: Partial<Readonly<Record<Device, { readonly name: string; readonly size: string }>>> = {
  phone: { name: 'phone', size: '390 × 844' },
  handheld: { name: 'phone', size: '390 × 844' },
  browser: { name: 'laptop', size: '1280 × 800' },
  television: { name: 'television', size: '1920 × 1080' },
};

/** Returns the words that say on which device, and how large a one, a variant is seen; nothing where it has no screen of its own. */
export function deviceWords(box: Box, variant: Variant): Html | false {
  const screen = SCREENS[chooseDevice(box, variant)];
  return screen !== undefined && html` <span class="device-size">on a ${screen.name} of ${screen.size}</span>`;
}

/** Returns the slot in the thing it would be seen on, with grey lines where a page's own words would be. */
export function deviceFrame(slot: Html, box: Box, variant: Variant): Html {
  return FRAMES[chooseDevice(box, variant)](slot, box);
}

const FRAMES: Readonly<Record<Device, (slot: Html, box: Box) => Html>> = {
  browser: (slot, box) =>
    html`<div class="device browser"><div class="chrome head"><i class="dot"></i><i class="dot"></i><i class="dot"></i><span class="address">publisher.example</span></div>
<div class="view">${box.width > 500 ? html`<div class="chrome mast"></div>${slot}${lines(4)}` : html`<div class="cols"><div class="chrome text">${lines(9)}</div>${slot}</div>`}</div></div>`,
  phone: (slot, box) =>
    box.height <= 100
      ? html`<div class="device phone"><div class="view">${lines(9)}</div><div class="dock">${slot}</div></div>`
      : html`<div class="device phone"><div class="view">${lines(2)}${slot}${lines(3)}</div></div>`,
  handheld: (slot) => html`<div class="device handheld">${slot}</div>`,
  television: (slot) => html`<div class="device television">${slot}</div>`,
  screen: (slot) => html`<div class="device screen">${slot}<div class="chrome post"></div></div>`,
  speaker: (slot) => html`<div class="device speaker">${slot}</div>`,
};

function lines(count: number): Html {
  return html`<div class="chrome lines" aria-hidden="true">${Array.from({ length: count }, () => html`<i></i>`)}</div>`;
}
