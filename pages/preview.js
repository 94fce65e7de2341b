// The switches of preview pages. Pages are complete without it: variants are links, pieces stand in their exact size.
const all = (selector, from = document) => [...from.querySelectorAll(selector)];

document.documentElement.classList.toggle('framed', window.parent !== window);

/** Loads a frame anew in a fresh element, so that the browser's history does not grow. */
function show(frame, src) {
  const next = frame.cloneNode();
  next.src = src;
  frame.replaceWith(next);
}

function switchTo(variant) {
  for (const tab of all('[data-variant]')) {
    if (tab.dataset.variant === variant) tab.setAttribute('aria-current', 'true');
    else tab.removeAttribute('aria-current');
  }
  for (const panel of all('[data-panel]')) panel.hidden = panel.dataset.panel !== variant;
  for (const frame of all('iframe[data-frames]')) {
    const { frames, count, at } = frame.dataset;
    show(frame, `${frames}${Number(variant) * Number(count) + Number(at)}`);
  }
  try {
    history.replaceState(null, '', `?v=${variant}`);
  } catch {
    // A frame without an origin has no history to change.
  }
}

let fitting = true;

const LEAST_HEIGHT_PX = 320;

/** Returns how far a screen is scaled to be seen whole; 1 for what scrolls with its page, and in the frames of other pages. */
function scaleToWindow(piece) {
  const isAlone = (document.querySelector('.bar')?.offsetHeight ?? 0) === 0;
  if (isAlone || window.parent !== window || !piece.matches('.television, .handheld, .screen')) return 1;
  return Math.max(LEAST_HEIGHT_PX, innerHeight * 0.75) / piece.offsetHeight;
}

/**
 * Scales what is wider than the room it has, and screens that are higher than the window, and says how far. Transforms leave the
 * creative's own pixels alone. At real size nothing is scaled, and devices are as large as their screens.
 */
function scalePieces() {
  for (const box of all('.fit')) {
    box.classList.toggle('real', !fitting);
    // Whoever has no mouse scrolls with the keys.
    if (fitting) box.removeAttribute('tabindex');
    else box.tabIndex = 0;
    const piece = box.firstElementChild;
    const padding = 2 * Number.parseFloat(getComputedStyle(box).paddingLeft);
    const own = Number(piece.dataset.own ?? 1);
    const { offsetWidth: width, offsetHeight: height } = piece;
    const scale = fitting ? Math.min(own, (box.clientWidth - padding) / width, scaleToWindow(piece)) : own;
    const isScaled = scale < 1;
    piece.style.transform = isScaled ? `scale(${scale})` : '';
    piece.style.margin = isScaled ? `0 ${width * (scale - 1)}px ${height * (scale - 1)}px 0` : '';
    for (const note of all('[data-scale]', box)) {
      note.textContent = isScaled ? ` shown at ${Math.round(scale * 100)} %` : '';
    }
  }
}

document.addEventListener('click', (event) => {
  const tab = event.target.closest('[data-variant]:not([data-elsewhere])');
  if (tab !== null && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    switchTo(tab.dataset.variant);
  }
  const button = event.target.closest('[data-do]');
  if (button?.dataset.do === 'replay') for (const frame of all('iframe[data-frames]')) show(frame, frame.src);
  if (button?.dataset.do === 'real') {
    fitting = !fitting;
    button.setAttribute('aria-pressed', String(!fitting));
    scalePieces();
  }
  if (button?.dataset.do === 'copy') copyShareLink();
});

/** Puts the link that can be sent on into the clipboard; where a page may not, the link is there to be copied by hand. */
async function copyShareLink() {
  const note = document.querySelector('[data-copied]');
  try {
    await navigator.clipboard.writeText(document.querySelector('[data-share]').href);
    note.textContent = 'Copied.';
  } catch {
    note.textContent = 'This browser does not let pages copy: copy the address of the link itself.';
  }
}

/** Says beside a frame what was noticed of what runs in it; what it says of itself is shown as text alone. */
function remark(frame, remarks) {
  const note = (frame.closest('.card') ?? frame.closest('.fit')).querySelector('[data-remark]');
  note.textContent = remarks.filter((text) => text !== '').join(' ');
  const checks = document.querySelector('.panel.ok');
  checks?.classList.toggle('doubtful', note.textContent !== '');
}

/** Says which of a tag's events the player has come to. */
addEventListener('message', ({ source, data }) => {
  if (data?.creative !== 'played' || !all('iframe.slot').some(({ contentWindow }) => contentWindow === source)) return;
  for (const row of all('[data-event]')) {
    if (row.dataset.event === data.event) row.querySelector('[data-played]').textContent = 'reached in this player';
  }
});

addEventListener('message', ({ source, data }) => {
  if (data?.creative !== 'seen') return;
  const frame = all('iframe.slot').find(({ contentWindow }) => contentWindow === source?.parent);
  if (frame === undefined) return;
  const blocked = Array.isArray(data.blocked) ? data.blocked.slice(0, 8).map((host) => String(host).slice(0, 100)) : [];
  const hosts = blocked.filter((host) => host !== 'mraid.js');
  remark(frame, [
    hosts.length < blocked.length
      ? 'Apps bring mraid.js and a preview does not: what waits for it does not run here.'
      : '',
    data.blank === true ? 'Blank: the creative shows nothing but one color.' : '',
    hosts.length > 0
      ? `Not reached, since previews reach no hosts but those that their operator allows: ${hosts.join(', ')}.`
      : '',
    data.failed ? `A script of the creative failed: ${String(data.failed).slice(0, 200)}` : '',
  ]);
});

const LOOK_PX = 64;
/** How far apart the channels of one color may be, which lossy files blur. */
const SAME_COLOR = 3;

/** Says so where the picture in a frame is of one color. */
async function lookAtPicture(frame) {
  const picture = new Image();
  picture.src = frame.dataset.picture;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = LOOK_PX;
  canvas.height = LOOK_PX;
  const context = canvas.getContext('2d');
  context.drawImage(picture, 0, 0, LOOK_PX, LOOK_PX);
  const { data } = context.getImageData(0, 0, LOOK_PX, LOOK_PX);
  const isOneColor = data.every((value, at) => Math.abs(value - data[at % 4]) <= SAME_COLOR);
  if (isOneColor) remark(frame, ['Blank: the picture is of one color.']);
}

for (const frame of all('iframe[data-picture]')) {
  // A file that is gone is said in its frame, and a page without an origin may not look.
  lookAtPicture(frame).catch(() => undefined);
}

/** Frames that load when they come into sight load once the page is there, so that the whole sheet can be printed. */
addEventListener('load', () => {
  for (const frame of all('iframe[loading="lazy"]')) frame.loading = 'eager';
});

addEventListener('resize', scalePieces);
scalePieces();
