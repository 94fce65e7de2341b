// Pictures for the sheet of campaigns: drawn scenes with the light and grain of photographs, for there are no photographs to ship.
import sharp from 'sharp';

const [WIDTH, HEIGHT] = [1600, 1200];

const defs = `<defs>
<filter id="soft" x="-60%" y="-60%" width="220%" height="220%"><feGaussianBlur stdDeviation="6"/></filter><filter id="far" x="-60%" y="-60%" width="220%" height="220%"><feGaussianBlur stdDeviation="18"/></filter><filter id="haze" x="-60%" y="-60%" width="220%" height="220%"><feGaussianBlur stdDeviation="46"/></filter>
<filter id="grain" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency="0.9" numOctaves="2" seed="7"/><feColorMatrix values="0 0 0 0 0.5  0 0 0 0 0.5  0 0 0 0 0.5  0 0 0 0.16 0"/></filter>
</defs>`;

const gradient = (id, stops, axis = 'x1="0" y1="0" x2="0" y2="1"') =>
  `<linearGradient id="${id}" ${axis}>${stops.map(([offset, color, opacity = 1]) => `<stop offset="${offset}" stop-color="${color}" stop-opacity="${opacity}"/>`).join('')}</linearGradient>`;
const glow = (id, stops, at = 'cx="0.5" cy="0.5" r="0.5"') =>
  `<radialGradient id="${id}" ${at}>${stops.map(([offset, color, opacity = 1]) => `<stop offset="${offset}" stop-color="${color}" stop-opacity="${opacity}"/>`).join('')}</radialGradient>`;
const all = (fill) => `<rect width="${WIDTH}" height="${HEIGHT}" fill="${fill}"/>`;

/** A crest line across the picture, the same for the same numbers. */
function crest(base, rise, step, seed) {
  let points = `M0 ${HEIGHT}L0 ${base}`;
  for (let x = 0, at = seed; x <= WIDTH + step; x += step, at += 1) {
    const lift = Math.abs(Math.sin(at * 12.9898) * 43758.5453) % 1;
    points += `L${x} ${Math.round(base - rise * lift)}`;
  }
  return `${points}L${WIDTH} ${HEIGHT}Z`;
}

const orange = (x, y, r, hue) =>
  `<circle cx="${x + r * 0.1}" cy="${y + r * 0.22}" r="${r}" fill="#3a1600" opacity="0.35" filter="url(#far)"/><circle cx="${x}" cy="${y}" r="${r}" fill="url(#${hue})"/><ellipse cx="${x - r * 0.32}" cy="${y - r * 0.42}" rx="${r * 0.22}" ry="${r * 0.13}" fill="#fff" opacity="0.55" filter="url(#soft)"/><circle cx="${x + r * 0.2}" cy="${y - r * 0.55}" r="${r * 0.07}" fill="#3c5a1c"/>`;

const balloon = (x, y, r, light, dark, id) =>
  `${glow(
    id,
    [
      [0, light],
      [1, dark],
    ],
    'cx="0.35" cy="0.3" r="0.8"',
  )}<path d="M${x} ${y + r * 1.15}Q${x - 30} ${y + 360} ${x + 20} ${y + 700}" stroke="#fff" stroke-opacity="0.7" stroke-width="4" fill="none"/><ellipse cx="${x}" cy="${y}" rx="${r}" ry="${r * 1.16}" fill="url(#${id})"/><path d="M${x - 14} ${y + r * 1.2}h28l-14 -22z" fill="${dark}"/><ellipse cx="${x - r * 0.35}" cy="${y - r * 0.5}" rx="${r * 0.16}" ry="${r * 0.26}" fill="#fff" opacity="0.6" filter="url(#soft)"/>`;

/** The scenes, each as the inside of an SVG. */
const SCENES = {
  mountains: `${gradient('sky', [
    [0, '#29476f'],
    [0.45, '#c98a7b'],
    [0.75, '#f7c98f'],
  ])}${all('url(#sky)')}<circle cx="1060" cy="560" r="300" fill="#ffe3ae" opacity="0.55" filter="url(#haze)"/><circle cx="1060" cy="560" r="74" fill="#fff3d6"/><path d="${crest(720, 330, 130, 3)}" fill="#8d7f9a"/><path d="${crest(830, 300, 150, 9)}" fill="#5d6b88"/><path d="${crest(960, 260, 110, 21)}" fill="#33495f"/><path d="${crest(1090, 170, 60, 40)}" fill="#1a2f38"/><rect y="690" width="1600" height="180" fill="#fbdcb4" opacity="0.22" filter="url(#haze)"/><path d="M880 985l24 -70 20 22 26 -60 40 108z" fill="#0d1c22"/>`,
  beach: `${gradient('sky', [
    [0, '#4aa3d8'],
    [1, '#d9f1f7'],
  ])}${gradient('sea', [
    [0, '#127a9e'],
    [0.5, '#2fb3bd'],
    [1, '#a9e6dc'],
  ])}${gradient('sand', [
    [0, '#f0d9a8'],
    [1, '#d9b57a'],
  ])}${all('url(#sky)')}<ellipse cx="420" cy="210" rx="260" ry="42" fill="#fff" opacity="0.75" filter="url(#far)"/><ellipse cx="1240" cy="150" rx="330" ry="36" fill="#fff" opacity="0.6" filter="url(#far)"/><path d="M1090 480Q1250 350 1430 400T1600 380V480z" fill="#3f7d68"/><rect y="470" width="1600" height="420" fill="url(#sea)"/><path d="M0 870Q400 800 800 870T1600 850V1200H0z" fill="#fff" opacity="0.8" filter="url(#soft)"/><path d="M0 900Q420 830 820 900T1600 880V1200H0z" fill="url(#sand)"/><path d="M1180 1010l12 -330" stroke="#7a4a22" stroke-width="16"/><path d="M920 720Q1190 470 1460 720Q1330 660 1190 700Q1040 660 920 720z" fill="#e4572e"/><path d="M1040 690Q1110 560 1190 552Q1180 640 1190 700Q1110 670 1040 690z" fill="#fff"/><path d="M1330 692Q1270 560 1190 552Q1200 640 1190 700Q1270 668 1330 692z" fill="#fff"/><ellipse cx="1210" cy="1020" rx="250" ry="34" fill="#6b4a1f" opacity="0.35" filter="url(#far)"/><path d="M1010 1000l210 -20 150 -100 26 16 -140 120 -220 24z" fill="#2a6f97"/>`,
  coffee: `${gradient('wood', [
    [0, '#5a3820'],
    [1, '#3c2415'],
  ])}${all('url(#wood)')}${Array.from({ length: 9 }, (_, i) => `<rect y="${i * 140}" width="1600" height="4" fill="#1e1109" opacity="0.6"/><path d="M0 ${i * 140 + 60}Q${400 + i * 60} ${i * 140 + 30} 800 ${i * 140 + 70}T1600 ${i * 140 + 50}" stroke="#7d5230" stroke-opacity="0.35" stroke-width="9" fill="none"/>`).join('')}<ellipse cx="860" cy="690" rx="470" ry="440" fill="#000" opacity="0.55" filter="url(#haze)"/><circle cx="820" cy="610" r="440" fill="#f4efe7"/><circle cx="820" cy="610" r="405" fill="#e6ddd0"/><circle cx="820" cy="610" r="300" fill="#fffdf9"/><path d="M1090 500q190 -60 210 100t-210 110z" fill="#fffdf9"/>${glow(
    'brew',
    [
      [0, '#a5683a'],
      [0.75, '#6f3d1c'],
      [1, '#4a260f'],
    ],
  )}<circle cx="820" cy="610" r="268" fill="url(#brew)"/><path d="M820 800C700 690 640 600 690 520C730 460 800 480 820 540C840 480 910 460 950 520C1000 600 940 690 820 800Z" fill="#f6dfc0"/><path d="M820 750C740 670 700 600 730 550C760 510 806 530 820 580C834 530 880 510 910 550C940 600 900 670 820 750Z" fill="#c48a56"/><path d="M820 700C770 650 750 610 768 580C786 556 812 570 820 606C828 570 854 556 872 580C890 610 870 650 820 700Z" fill="#f6dfc0"/>${[
    [240, 930],
    [330, 1010],
    [190, 1040],
    [1370, 240],
    [1450, 330],
  ]
    .map(
      ([x, y], i) =>
        `<g transform="translate(${x} ${y}) rotate(${i * 41})"><ellipse rx="52" ry="34" fill="#2b150a"/><path d="M-48 0Q-10 -14 0 0T48 0" stroke="#0e0603" stroke-width="7" fill="none"/></g>`,
    )
    .join('')}`,
  perfume: `${glow(
    'room',
    [
      [0, '#6a5648'],
      [0.6, '#2b211d'],
      [1, '#120d0c'],
    ],
    'cx="0.5" cy="0.42" r="0.75"',
  )}${all('url(#room)')}<rect y="900" width="1600" height="300" fill="#0f0b0a" opacity="0.7"/><ellipse cx="800" cy="935" rx="460" ry="86" fill="#3d2f29"/><ellipse cx="800" cy="915" rx="440" ry="76" fill="#57443a"/>${gradient(
    'glass',
    [
      [0, '#f3d9a9', 0.95],
      [0.5, '#c88f4a', 0.9],
      [1, '#7c4a20', 0.95],
    ],
  )}${gradient(
    'side',
    [
      [0, '#fff', 0.55],
      [0.2, '#fff', 0.05],
      [0.8, '#000', 0.05],
      [1, '#000', 0.45],
    ],
    'x1="0" y1="0" x2="1" y2="0"',
  )}<rect x="600" y="440" width="400" height="470" rx="46" fill="url(#glass)"/><rect x="600" y="440" width="400" height="470" rx="46" fill="url(#side)"/><rect x="640" y="500" width="26" height="350" rx="13" fill="#fff" opacity="0.55" filter="url(#soft)"/><rect x="690" y="600" width="220" height="150" fill="#1a1311"/><rect x="702" y="612" width="196" height="126" fill="none" stroke="#d9b77a" stroke-width="3"/><circle cx="800" cy="675" r="26" fill="none" stroke="#d9b77a" stroke-width="4"/><rect x="736" y="380" width="128" height="66" fill="#d9b77a"/>${gradient(
    'cap',
    [
      [0, '#2a211e'],
      [0.3, '#6b5a52'],
      [1, '#0c0908'],
    ],
    'x1="0" y1="0" x2="1" y2="0"',
  )}<rect x="690" y="210" width="220" height="180" rx="18" fill="url(#cap)"/><ellipse cx="1240" cy="350" rx="120" ry="120" fill="#e7b873" opacity="0.28" filter="url(#haze)"/><ellipse cx="330" cy="300" rx="150" ry="150" fill="#e7b873" opacity="0.22" filter="url(#haze)"/>`,
  chair: `${gradient('wall', [
    [0, '#e9ddcf'],
    [1, '#d9c8b4'],
  ])}${all('url(#wall)')}<path d="M0 0L720 0L300 930L0 930z" fill="#fff" opacity="0.28" filter="url(#far)"/><rect y="930" width="1600" height="270" fill="#a87b55"/><rect y="930" width="1600" height="14" fill="#f4ece2"/><ellipse cx="880" cy="1090" rx="620" ry="90" fill="#c9a98a"/><rect x="240" y="200" width="300" height="380" fill="#faf6ef"/><rect x="262" y="222" width="256" height="336" fill="#c8553d"/><circle cx="390" cy="380" r="86" fill="#f2d0a4"/><path d="M262 558L262 470Q390 420 518 490V558z" fill="#2d4739"/><ellipse cx="930" cy="1075" rx="360" ry="46" fill="#3a2413" opacity="0.45" filter="url(#far)"/><path d="M690 1060l50 -190M1150 1060l-50 -190" stroke="#5d3a1f" stroke-width="24" stroke-linecap="round"/>${gradient(
    'cloth',
    [
      [0, '#3f6f61'],
      [1, '#254a3f'],
    ],
  )}<path d="M660 470Q660 360 780 360H1060Q1180 360 1180 470V800H660z" fill="url(#cloth)"/><rect x="690" y="690" width="460" height="150" rx="50" fill="#4c8072"/><rect x="600" y="610" width="130" height="290" rx="62" fill="#2f5a4d"/><rect x="1110" y="610" width="130" height="290" rx="62" fill="#2f5a4d"/><rect x="640" y="830" width="560" height="70" rx="26" fill="#234439"/><rect x="830" y="560" width="190" height="170" rx="30" fill="#e0a458" transform="rotate(-8 925 645)"/><path d="M1400 1070V430" stroke="#2b2b2b" stroke-width="12"/><path d="M1300 440L1350 270H1450L1500 440z" fill="#f6e7cb"/><ellipse cx="1400" cy="500" rx="260" ry="220" fill="#ffe9b8" opacity="0.35" filter="url(#haze)"/><ellipse cx="1400" cy="1075" rx="90" ry="18" fill="#2b2b2b"/>`,
  phone: `${gradient(
    'desk',
    [
      [0, '#dfe6f5'],
      [1, '#b7c4e4'],
    ],
    'x1="0" y1="0" x2="1" y2="1"',
  )}${all('url(#desk)')}<circle cx="1220" cy="260" r="330" fill="#7d6bf2" opacity="0.45" filter="url(#haze)"/><circle cx="330" cy="960" r="360" fill="#35c3d6" opacity="0.45" filter="url(#haze)"/><g transform="rotate(12 800 600)"><rect x="596" y="150" width="450" height="920" rx="70" fill="#1b2448" opacity="0.4" filter="url(#far)" transform="translate(26 40)"/><rect x="580" y="130" width="450" height="920" rx="70" fill="#10142a"/><rect x="600" y="150" width="410" height="880" rx="54" fill="#f7f9ff"/><rect x="730" y="172" width="150" height="34" rx="17" fill="#10142a"/>${gradient(
    'chart',
    [
      [0, '#6d5ef0'],
      [1, '#35c3d6'],
    ],
    'x1="0" y1="0" x2="1" y2="1"',
  )}<rect x="640" y="260" width="330" height="210" rx="30" fill="url(#chart)"/><path d="M670 420Q730 330 780 380T870 330T940 310" stroke="#fff" stroke-width="12" fill="none" stroke-linecap="round"/><circle cx="940" cy="310" r="16" fill="#fff"/>${[520, 640, 760].map((y, i) => `<rect x="640" y="${y}" width="330" height="92" rx="24" fill="#e9edfb"/><circle cx="690" cy="${y + 46}" r="26" fill="${['#6d5ef0', '#ff8a5b', '#35c3d6'][i]}"/><rect x="736" y="${y + 26}" width="150" height="16" rx="8" fill="#9aa5c9"/><rect x="736" y="${y + 54}" width="96" height="12" rx="6" fill="#c6cee8"/>`).join('')}<rect x="640" y="890" width="330" height="84" rx="42" fill="#10142a"/></g>`,
  balloons: `${gradient('sky', [
    [0, '#8fd3ff'],
    [1, '#fff4d9'],
  ])}${all('url(#sky)')}<ellipse cx="260" cy="880" rx="340" ry="70" fill="#fff" opacity="0.8" filter="url(#far)"/><ellipse cx="1360" cy="980" rx="380" ry="80" fill="#fff" opacity="0.85" filter="url(#far)"/>${balloon(560, 520, 180, '#ff9db0', '#e2304f', 'b1')}${balloon(1080, 480, 190, '#ffe48a', '#f2a900', 'b2')}${balloon(820, 380, 215, '#8fb7ff', '#2b5fd9', 'b3')}${balloon(760, 700, 165, '#a9f0c0', '#1fa35c', 'b4')}${balloon(1010, 740, 150, '#dcb3ff', '#7c3fd1', 'b5')}`,
  oranges: `${gradient('crate', [
    [0, '#ffdf9e'],
    [1, '#f2a33c'],
  ])}${all('url(#crate)')}${glow(
    'o1',
    [
      [0, '#ffc25c'],
      [0.7, '#f58a07'],
      [1, '#c75f00'],
    ],
    'cx="0.38" cy="0.32" r="0.75"',
  )}${glow(
    'o2',
    [
      [0, '#fff07c'],
      [0.7, '#f4cf1b'],
      [1, '#c99a00'],
    ],
    'cx="0.38" cy="0.32" r="0.75"',
  )}${glow(
    'o3',
    [
      [0, '#c9e265'],
      [0.7, '#7fae1f'],
      [1, '#4c7a0d'],
    ],
    'cx="0.38" cy="0.32" r="0.75"',
  )}${[
    [150, 1080, 210, 'o1'],
    [560, 1120, 220, 'o2'],
    [1000, 1090, 215, 'o1'],
    [1430, 1110, 220, 'o3'],
    [330, 820, 205, 'o3'],
    [790, 800, 225, 'o1'],
    [1240, 810, 210, 'o2'],
    [560, 530, 200, 'o2'],
    [1030, 520, 205, 'o3'],
    [800, 290, 190, 'o1'],
  ]
    .map(([x, y, r, hue]) => orange(x, y, r, hue))
    .join('')}`,
  home: `${gradient('sky', [
    [0, '#9cc9ea'],
    [1, '#f9ecd7'],
  ])}${all('url(#sky)')}<circle cx="1260" cy="380" r="240" fill="#fff0c2" opacity="0.8" filter="url(#haze)"/><path d="M0 760Q400 600 820 720T1600 640V1200H0z" fill="#9fbf86"/><path d="M0 860Q500 720 900 830T1600 800V1200H0z" fill="#7ba561"/><ellipse cx="820" cy="960" rx="420" ry="40" fill="#2c4a20" opacity="0.4" filter="url(#far)"/><rect x="540" y="580" width="560" height="370" fill="#fbf7f0"/><path d="M490 600L820 330L1150 600z" fill="#a8503a"/><rect x="960" y="380" width="70" height="130" fill="#8c4230"/><rect x="760" y="740" width="120" height="210" fill="#33566b"/><circle cx="860" cy="850" r="8" fill="#f0d58a"/>${[
    [600, 660],
    [950, 660],
  ]
    .map(
      ([x, y]) =>
        `<rect x="${x}" y="${y}" width="110" height="120" fill="#ffe7a8"/><path d="M${x + 55} ${y}v120M${x} ${y + 60}h110" stroke="#fff" stroke-width="8"/>`,
    )
    .join(
      '',
    )}<rect x="1290" y="700" width="34" height="200" fill="#6b4a2d"/><circle cx="1306" cy="600" r="150" fill="#5b8f4a"/><circle cx="1220" cy="680" r="100" fill="#6aa056"/><path d="M760 950h120l60 250h-250z" fill="#e3d3b4"/>`,
};

/** The names of the scenes. */
export const sceneNames = Object.keys(SCENES);

/** Returns a scene as a JPEG. */
export function drawScene(name) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${defs}${SCENES[name]}<rect width="${WIDTH}" height="${HEIGHT}" filter="url(#grain)"/></svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 90 }).toBuffer();
}
