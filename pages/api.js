// Search and trial calls of the registry's page. Without it the page is complete, but for these two.
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const one = (selector, from = document) => from.querySelector(selector);

/** Headers of an answer that a reader may want to see. */
const SHOWN_HEADERS = [
  'content-type',
  'etag',
  'cache-control',
  'location',
  'link',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'www-authenticate',
  'x-request-id',
];
/** Characters of an answer that are shown; the rest is not read. */
const MAX_ANSWER_CHARACTERS = 200_000;

const key = one('[data-key]');
for (const hidden of all('.tools, form.try')) hidden.hidden = false;
addEventListener('pagehide', () => {
  key.value = '';
});

/** The contents stand beside the operations where there is room, and are folded above them where there is none. */
const wide = matchMedia('(min-width: 900px)');
const placeContents = () => {
  one('nav details').open = wide.matches;
};
wide.addEventListener('change', placeContents);
placeContents();

/** Opens the operation that the address names, where the browser does not do so itself. */
function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  const details = target?.closest('article > details');
  if (!details) return;
  // What a search hides cannot be shown.
  if (details.parentElement.hidden) {
    search.value = '';
    filterOperations();
  }
  details.open = true;
  target.scrollIntoView();
}
addEventListener('hashchange', openTarget);
// A link to the operation that the address names already changes no hash.
document.addEventListener('click', (event) => {
  if (event.target.closest('nav a')?.hash === location.hash && location.hash !== '') openTarget();
});

const links = new Map(all('nav li li').map((item) => [one('a', item).hash.slice(1), item]));
const operations = all('article').map((article) => {
  const { id } = one('.operation', article);
  const names = all('dt code', article).map(({ textContent }) => textContent);
  const text = [one('summary', article).textContent, id, ...names].join(' ').toLowerCase();
  return { article, item: links.get(id), text };
});
const search = one('[data-search]');

/** Shows the operations that have every word of the search, and their groups and links alone. */
function filterOperations() {
  const words = search.value.toLowerCase().split(/\s+/);
  let count = 0;
  for (const { article, item, text } of operations) {
    const isMatch = words.every((word) => text.includes(word));
    article.hidden = !isMatch;
    item.hidden = !isMatch;
    count += Number(isMatch);
  }
  for (const group of all('main section, nav details > ul > li')) {
    group.hidden = all('article, li', group).every(({ hidden }) => hidden);
  }
  const total = `${count} of ${operations.length} operations`;
  one('[data-count]').textContent = search.value.trim() === '' ? '' : total;
}
search.addEventListener('input', filterOperations);

/** Returns the address that a form describes, on this origin. */
function formUrl(form) {
  let path = form.dataset.path;
  for (const { name, value } of all('[data-in="path"]', form)) {
    path = path.replace(`{${name}}`, () => encodeURIComponent(value));
  }
  const url = new URL(path, location.origin);
  for (const { name, value } of all('[data-in="query"]', form)) if (value !== '') url.searchParams.set(name, value);
  return url;
}

function formRequest(form, signal) {
  const body = one('[data-in="body"]', form)?.value;
  const headers = {};
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (key.value.trim() !== '') headers.authorization = `Bearer ${key.value.trim()}`;
  return { method: form.dataset.method, headers, body, signal, credentials: 'omit', cache: 'no-store' };
}

function setPre(form, selector, text) {
  const pre = one(selector, form);
  pre.textContent = text;
  pre.hidden = text === '';
}

/** Shows an answer as it arrives, up to the bound, and JSON with its lines indented once it is whole. */
async function showBody(form, response, request) {
  let text = '';
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader.read()) {
    text += part.value;
    setPre(form, '[data-answer]', text.slice(0, MAX_ANSWER_CHARACTERS));
    if (text.length <= MAX_ANSWER_CHARACTERS) continue;
    request.abort();
    return ` The answer is longer; its first ${MAX_ANSWER_CHARACTERS} characters are shown.`;
  }
  if (/\bjson$/.test(response.headers.get('content-type')?.split(';')[0] ?? '')) {
    setPre(form, '[data-answer]', JSON.stringify(JSON.parse(text), null, 2));
  }
  return '';
}

async function sendForm(form) {
  const status = one('[role="status"]', form);
  const stop = one('[data-stop]', form);
  const send = one('button', form);
  const request = new AbortController();
  const stopRequest = () => request.abort();
  stop.addEventListener('click', stopRequest);
  stop.hidden = false;
  send.disabled = true;
  setPre(form, '[data-headers]', '');
  setPre(form, '[data-answer]', '');
  status.textContent = 'Waiting for the answer.';
  try {
    const response = await fetch(formUrl(form), formRequest(form, request.signal));
    const shown = SHOWN_HEADERS.filter((name) => response.headers.has(name));
    setPre(form, '[data-headers]', shown.map((name) => `${name}: ${response.headers.get(name)}`).join('\n'));
    status.textContent = `${response.status} ${response.statusText}`;
    status.textContent += await showBody(form, response, request);
  } catch (error) {
    status.textContent += request.signal.aborted ? ' Stopped.' : ` The call failed: ${error.message}.`;
  } finally {
    stop.removeEventListener('click', stopRequest);
    stop.hidden = true;
    send.disabled = false;
  }
}

/** Marks whether the next press sends; a call that changes something is sent by the second one. */
function setArmed(form, isArmed) {
  form.toggleAttribute('data-armed', isArmed);
  one('button', form).textContent = isArmed ? 'Send: this may change data' : 'Send';
}

for (const form of all('form.try')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (one('button', form).disabled) return;
    if ('changes' in form.dataset && !('armed' in form.dataset)) {
      setArmed(form, true);
      one('[role="status"]', form).textContent = 'Press once more to send. This call may change data in the registry.';
      return;
    }
    setArmed(form, false);
    sendForm(form);
  });
  form.addEventListener('input', () => setArmed(form, false));
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget)) setArmed(form, false);
  });
  // A double click, or a key that is held down, is one press.
  form.addEventListener('click', (event) => {
    if (event.detail > 1 && event.target.closest('button')) event.preventDefault();
  });
  form.addEventListener('keydown', (event) => {
    if (event.repeat && event.key === 'Enter' && event.target.localName !== 'textarea') event.preventDefault();
  });
}

openTarget();
