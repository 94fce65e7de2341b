/**
 * A script for the document of advertiser markup: it tells the page around its frame whether anything is to be seen (`blank`), which
 * hosts the policy refused (`blocked`), and why a script failed (`failed`). Markup could send the same, so the page shows these as
 * remarks and does nothing else with them.
 */
export const WATCH_SCRIPT = `(() => {
  const blocked = new Set();
  let failed = '';
  const tell = (blank) => parent.parent.postMessage({ creative: 'seen', blank, blocked: [...blocked].slice(0, 8), failed }, '*');
  addEventListener('securitypolicyviolation', (event) => {
    try {
      const { host, pathname } = new URL(event.blockedURI);
      blocked.add(pathname.toLowerCase().endsWith('/mraid.js') ? 'mraid.js' : host);
    } catch { blocked.add(String(event.blockedURI)) }
  });
  addEventListener('error', (event) => { failed ||= String(event.message ?? '').slice(0, 200) });
  const isPainted = (canvas) => {
    try {
      const context = canvas.getContext('2d');
      if (context === null) return true;
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      return data.some((value, at) => value !== data[at % 4]);
    } catch { return canvas.width > 0 && canvas.height > 0 }
  };
  const LOADED = {
    IMG: (one) => one.naturalWidth > 1,
    CANVAS: isPainted,
    IFRAME: (one) => { try { return one.contentDocument === null || hasContent(one.contentDocument) } catch { return true } },
    svg: (one) => one.childElementCount > 0,
    VIDEO: () => true, OBJECT: () => true, EMBED: () => true, INPUT: () => true, BUTTON: () => true,
  };
  const hasWords = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  const isCovering = ({ width, height }) => width >= innerWidth - 1 && height >= innerHeight - 1;
  function hasContent(document) {
    for (const one of document.body?.querySelectorAll('*') ?? []) {
      if (['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE'].includes(one.tagName)) continue;
      const box = one.getBoundingClientRect();
      const style = getComputedStyle(one);
      if (box.width < 2 || box.height < 2 || style.visibility === 'hidden' || style.opacity === '0') continue;
      if (LOADED[one.tagName]?.(one) || hasWords(one) || style.backgroundImage !== 'none') return true;
      const hasGround = style.backgroundColor !== 'rgba(0, 0, 0, 0)' && style.backgroundColor !== getComputedStyle(document.body).backgroundColor;
      if (hasGround && !isCovering(box)) return true;
    }
    return document.body !== null && (hasWords(document.body) || getComputedStyle(document.body).backgroundImage !== 'none');
  }
  let looks = 0;
  const look = () => {
    const isBlank = !hasContent(document);
    looks += 1;
    if (!isBlank || looks >= 4) tell(isBlank);
    if (looks < 40) setTimeout(look, 500);
  };
  addEventListener('load', look);
})()`;

/** A script for the document of a player. It tells the page around which events of a tag the playing has come to (`played`). */
export const PLAYER_SCRIPT = `(() => {
  const media = document.querySelector('video, audio');
  const tell = (event) => parent.postMessage({ creative: 'played', event }, '*');
  const PARTS = [[0.25, 'firstQuartile'], [0.5, 'midpoint'], [0.75, 'thirdQuartile']];
  let began = false;
  let isMuted = media.muted;
  media.addEventListener('playing', () => {
    if (began) return tell('resume');
    began = true;
    for (const event of ['impression', 'creativeView', 'start']) tell(event);
  });
  media.addEventListener('timeupdate', () => {
    for (const [part, event] of PARTS) if (media.currentTime >= part * media.duration) tell(event);
  });
  media.addEventListener('pause', () => { if (!media.ended) tell('pause') });
  media.addEventListener('ended', () => tell('complete'));
  media.addEventListener('volumechange', () => {
    if (media.muted !== isMuted) tell(media.muted ? 'mute' : 'unmute');
    isMuted = media.muted;
  });
})()`;
