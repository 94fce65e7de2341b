// Logos of the fictional brands, each for light and for dark grounds.
import sharp from 'sharp';

/** The mark of a brand in two colors, upon nothing. */
const MARKS = {
  peak: (ink, second) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="160" viewBox="0 0 600 160"><path d="M10 140L80 24L112 78L132 48L190 140z" fill="${ink}"/><path d="M80 24L98 54L80 66L62 54z" fill="${second}"/>${letters('NORDLYS', 214, ink)}</svg>`,
  cup: (ink, second) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200" viewBox="0 0 200 200"><circle cx="100" cy="100" r="92" fill="none" stroke="${ink}" stroke-width="9"/><path d="M52 88h82v26a36 36 0 0 1 -36 36h-10a36 36 0 0 1 -36 -36z" fill="${ink}"/><path d="M134 96h12a15 15 0 0 1 0 30h-14" fill="none" stroke="${ink}" stroke-width="9"/><path d="M76 74q-8 -14 0 -24t0 -20M106 74q-8 -14 0 -24t0 -20" fill="none" stroke="${second}" stroke-width="8" stroke-linecap="round"/></svg>`,
  lumo: (ink, second) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="470" height="160" viewBox="0 0 470 160"><circle cx="80" cy="80" r="58" fill="${second}"/><path d="M80 22a58 58 0 0 1 0 116a80 80 0 0 0 0 -116z" fill="${ink}"/>${letters('LUMO', 164, ink)}</svg>`,
  anchor: (ink, second) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="700" height="160" viewBox="0 0 700 160"><circle cx="80" cy="34" r="17" fill="none" stroke="${second}" stroke-width="10"/><path d="M80 51V140M46 72h68M18 92a62 52 0 0 0 124 0" fill="none" stroke="${ink}" stroke-width="12" stroke-linecap="round"/>${letters('HARBOUR', 182, ink)}</svg>`,
};

/** Strokes of capitals on a grid of 4 by 6: letters without a font. */
const STROKES = {
  A: 'M0 6L2 0L4 6M0.8 4H3.2',
  B: 'M0 0V6H2.6Q4 6 4 4.5T2.6 3H0M2.6 3Q3.7 3 3.7 1.5T2.4 0H0',
  D: 'M0 0V6H1.8Q4 6 4 3T1.8 0z',
  H: 'M0 0V6M4 0V6M0 3H4',
  L: 'M0 0V6H3.6',
  M: 'M0 6V0L2.2 3.6L4.4 0V6',
  N: 'M0 6V0L4 6V0',
  O: 'M2.2 0Q4.4 0 4.4 3T2.2 6T0 3T2.2 0z',
  R: 'M0 6V0H2.6Q4 0 4 1.6T2.6 3.2H0M2.2 3.2L4 6',
  S: 'M3.8 0.9Q3.3 0 2 0Q0.2 0 0.2 1.5T2 2.9Q4 3.1 4 4.5T2 6Q0.5 6 0 5',
  U: 'M0 0V3.9Q0 6 2 6T4 3.9V0',
  Y: 'M0 0L2 3L4 0M2 3V6',
};

function letters(text, x, ink) {
  return [...text]
    .map(
      (letter, index) =>
        `<g transform="translate(${x + index * 55} 46) scale(9.2 11.4)"><path d="${STROKES[letter]}" fill="none" stroke="${ink}" stroke-width="1.25" stroke-linejoin="round"/></g>`,
    )
    .join('');
}

const COLORS = {
  peak: { light: ['#1b4332', '#f4a259'], dark: ['#ffffff', '#f4a259'] },
  cup: { light: ['#6f1d1b', '#c98a3c'], dark: ['#fff4e3', '#ffd9a0'] },
  lumo: { light: ['#2b2a8c', '#19b8a2'], dark: ['#ffffff', '#5ee6d0'] },
  anchor: { light: ['#0b4f8a', '#f2a900'], dark: ['#ffffff', '#f2a900'] },
};

/** Returns a logo as a PNG: `peak-light` is for light grounds, `peak-dark` for dark ones. */
export function drawLogo(name) {
  const [mark, ground] = name.split('-');
  return sharp(Buffer.from(MARKS[mark](...COLORS[mark][ground])))
    .png()
    .toBuffer();
}
