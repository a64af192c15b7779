/* global document, getComputedStyle, addEventListener, matchMedia, uPlot */
// The script of the page of a report. Texts become text nodes, never markup.
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const at = (id) => document.getElementById(id);
  const whole = (value) => value.toLocaleString('en-US');

  // Draws the charts of `data.charts`, anew when the page's size or its colours change.
  const drawn = [];
  const draw = () => {
    for (const chart of drawn.splice(0)) chart.destroy();
    const colour = (name) =>
      getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const axis = {
      stroke: colour('--text'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { stroke: colour('--line') },
    };
    for (const { id, labels, seconds, series } of data.charts) {
      const colours = [colour('--one'), colour('--two')];
      drawn.push(
        new uPlot(
          {
            width: at(id).clientWidth,
            height: 220,
            scales: {
              x: { time: false },
              y: { range: (_, low, high) => [0, Math.max(high, 1) * 1.1] },
            },
            axes: [
              { ...axis, values: (_, ticks) => ticks.map((tick) => tick + ' s') },
              { ...axis, size: 70, values: (_, ticks) => ticks.map(whole) },
            ],
            series: [
              { label: 'second' },
              ...labels.map((label, index) => ({
                label,
                stroke: colours[index],
                width: 2,
                spanGaps: true,
                points: { show: seconds.length < 40, fill: colours[index], size: 5 },
              })),
            ],
          },
          [seconds, ...series],
          at(id),
        ),
      );
    }
  };
  if (data.charts.length > 0) {
    draw();
    addEventListener('resize', draw);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  }

  // Fills the table of rows from `data`, and lets the person search, filter, sort and turn pages.
  if (!at('table')) return;
  const SIZE = 100;
  // More than 150 pages of paper; ten times as many would keep a browser busy for long.
  const PRINTED = 5000;
  const { columns, numeric, outcomeAt, rows } = data;
  const reasonsOf = rows.map((row) => row.pop());
  const texts = rows.map((row) => row.join('\u0000').toLowerCase());
  const view = { query: '', outcome: '', reason: '', column: -1, up: true, page: 0 };
  const head = at('table').tHead.insertRow();
  columns.forEach((name, index) => {
    const cell = document.createElement('th');
    cell.scope = 'col';
    cell.classList.toggle('number', numeric[index]);
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = name;
    button.addEventListener('click', () => {
      view.up = view.column === index ? !view.up : true;
      view.column = index;
      view.page = 0;
      show();
    });
    cell.append(button);
    head.append(cell);
  });
  const compare = (column, up) => (a, b) => {
    const [left, right] = [rows[a][column], rows[b][column]];
    const order = numeric[column] ? left - right : left < right ? -1 : left > right ? 1 : 0;
    return (up ? order : -order) || a - b;
  };
  const isChosen = (index) =>
    (view.outcome === '' || rows[index][outcomeAt] === view.outcome) &&
    (view.reason === '' || reasonsOf[index].includes(Number(view.reason))) &&
    texts[index].includes(view.query);
  const chosen = () => {
    const found = [];
    for (let index = 0; index < rows.length; index++) if (isChosen(index)) found.push(index);
    return view.column < 0 ? found : found.sort(compare(view.column, view.up));
  };
  const fill = (shown) => {
    const body = document.createElement('tbody');
    for (const index of shown) {
      const line = body.insertRow();
      rows[index].forEach((value, column) => {
        const cell = line.insertCell();
        if (value !== '') cell.appendChild(document.createElement('span')).textContent = value;
        cell.dataset.label = columns[column];
        cell.classList.toggle('number', numeric[column]);
      });
    }
    at('table').tBodies[0].replaceWith(body);
  };
  // A printed page has no buttons: all rows that match are printed.
  const print = () => {
    const found = chosen();
    fill(found.slice(0, PRINTED));
    at('printed').textContent =
      found.length <= PRINTED
        ? whole(found.length) + (found.length === 1 ? ' row' : ' rows')
        : 'The first ' +
          whole(PRINTED) +
          ' of ' +
          whole(found.length) +
          ' rows are printed; --format csv or xlsx has them all.';
  };
  const buttons = document.querySelectorAll('[data-reason]');
  const show = () => {
    const found = chosen();
    const pages = Math.max(1, Math.ceil(found.length / SIZE));
    view.page = Math.min(view.page, pages - 1);
    [...head.cells].forEach((cell, index) => {
      if (index === view.column)
        cell.setAttribute('aria-sort', view.up ? 'ascending' : 'descending');
      else cell.removeAttribute('aria-sort');
      cell.firstChild.textContent =
        columns[index] + (index === view.column ? (view.up ? ' ↑' : ' ↓') : '');
    });
    fill(found.slice(view.page * SIZE, (view.page + 1) * SIZE));
    for (const button of buttons)
      button.setAttribute('aria-pressed', String(button.dataset.reason === view.reason));
    at('reason').value = view.reason;
    at('count').textContent = whole(found.length) + (found.length === 1 ? ' row' : ' rows');
    at('page').textContent = 'Page ' + whole(view.page + 1) + ' of ' + whole(pages);
    at('previous').disabled = view.page === 0;
    at('next').disabled = view.page === pages - 1;
  };
  const change = (name, value) => {
    view[name] = value;
    view.page = 0;
    show();
  };
  for (const button of buttons)
    button.addEventListener('click', () => {
      const { reason } = button.dataset;
      change('reason', view.reason === reason ? '' : reason);
      if (view.reason !== '') at('rows').scrollIntoView();
    });
  at('query').form.addEventListener('submit', (event) => event.preventDefault());
  at('query').addEventListener('input', () => change('query', at('query').value.toLowerCase()));
  at('outcome').addEventListener('change', () => change('outcome', at('outcome').value));
  at('reason').addEventListener('change', () => change('reason', at('reason').value));
  at('previous').addEventListener('click', () => {
    view.page--;
    show();
  });
  at('next').addEventListener('click', () => {
    view.page++;
    show();
  });
  addEventListener('beforeprint', print);
  addEventListener('afterprint', show);
  show();
})();
