// What the pages of the console do beyond HTML: nothing of it is needed to use them.

document.documentElement.classList.add('has-script');

// "Choose all" of a form with boxes.
document.addEventListener('change', (event) => {
  const box = event.target;
  if (!(box instanceof HTMLInputElement) || !box.matches('[data-all]')) return;
  for (const other of box.form.querySelectorAll('input[name="id"]')) other.checked = box.checked;
});

// A form is sent once: a second click waits for the answer to the first.
document.addEventListener('submit', (event) => {
  if (event.target.dataset.sent === 'yes') event.preventDefault();
  else if (event.target.method === 'post') event.target.dataset.sent = 'yes';
});
window.addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent;
});

const TYPED = 'typed';
const FIELDS = 'input:not([type="hidden"], [type="password"]), textarea, select';

/** Returns the fields of a form in which people write and choose. */
function listFields(form) {
  return [...form.querySelectorAll(FIELDS)];
}

// What was typed into a form that is refused is there again; a tab remembers the form that it sent last.
document.addEventListener('submit', ({ target: form }) => {
  if (form.method !== 'post') return;
  const values = listFields(form).map((field) => (field.type === 'checkbox' ? field.checked : field.value));
  const at = [...document.forms].indexOf(form);
  sessionStorage.setItem(TYPED, JSON.stringify({ action: form.getAttribute('action'), at, values }));
});

/** Puts back what was typed where the page says that it was not done. */
function restoreTyped() {
  const typed = JSON.parse(sessionStorage.getItem(TYPED) ?? 'null');
  sessionStorage.removeItem(TYPED);
  const form = document.forms[typed?.at];
  if (document.querySelector('.notice.problem') === null || form?.getAttribute('action') !== typed?.action) return;
  const fields = form === undefined ? [] : listFields(form);
  if (fields.length !== typed?.values.length) return;
  for (const [index, field] of fields.entries()) {
    if (field.type === 'checkbox') field.checked = typed.values[index];
    else field.value = typed.values[index];
  }
}
restoreTyped();

/** Seconds between the days that an axis names. */
const DAY_STEPS = [1, 2, 3, 5, 7, 14, 28, 56, 112, 364].map((days) => days * 86_400);

/** Draws the chart that stands above a table of series: the first column has the days, each other one a series. */
function draw(chart) {
  const table = document.getElementById(chart.dataset.table);
  if (table === null || typeof uPlot === 'undefined') return;
  const heads = [...table.querySelectorAll('thead th')].map((head) => head.textContent);
  const rows = [...table.querySelectorAll('tbody tr')];
  const numberIn = (cell) =>
    cell.dataset.value === '' || cell.dataset.value === undefined ? null : Number(cell.dataset.value);
  const data = heads.map((_head, column) => rows.map((row) => numberIn(row.children[column])));
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  const strokes = [color('--accent'), color('--soft'), color('--good')];
  const axis = {
    stroke: color('--soft'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { stroke: color('--line'), width: 1 },
  };
  const size = () => ({ width: chart.clientWidth, height: 260 });
  const series = heads.slice(1).map((label, index) => ({
    label,
    stroke: strokes[index % strokes.length],
    width: 2,
    dash: index === 1 ? [6, 4] : undefined,
    fill: index === 0 ? `color-mix(in srgb, ${strokes[0]} 14%, transparent)` : undefined,
    value: (_plot, value) => (value === null ? '–' : Math.round(value).toLocaleString('en-US')),
  }));
  const day = (seconds, more) =>
    new Date(seconds * 1000).toLocaleDateString('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short', ...more });
  const thousands = (value) => (value >= 1e6 ? `${value / 1e6}M` : value >= 1e3 ? `${value / 1e3}k` : String(value));
  chart.replaceChildren();
  const plot = new uPlot(
    {
      ...size(),
      series: [
        { label: heads[0], value: (_plot, value) => (value === null ? '–' : day(value, { year: 'numeric' })) },
        ...series,
      ],
      axes: [
        { ...axis, incrs: DAY_STEPS, values: (_plot, values) => values.map((value) => day(value)) },
        { ...axis, size: 56, values: (_plot, values) => values.map(thousands) },
      ],
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    },
    data,
    chart,
  );
  new ResizeObserver(() => plot.setSize(size())).observe(chart);
}

function drawAll() {
  for (const chart of document.querySelectorAll('.chart[data-table]')) if (chart.childElementCount === 0) draw(chart);
}
drawAll();
document.addEventListener('htmx:after:swap', drawAll);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  for (const chart of document.querySelectorAll('.chart[data-table]')) draw(chart);
});
