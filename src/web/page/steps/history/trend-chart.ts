import uPlot from 'uplot';

/** What is drawn, in words and numbers of the person's language. */
export interface Trend {
  /** Seconds since the epoch. */
  readonly at: readonly number[];
  /** Colours are named as among the tokens; shares are 0 to 1. */
  readonly lines: readonly [label: string, colour: string, shares: number[]][];
  readonly timeLabel: string;
  /** A point in time: with the time of day where days say too little. */
  readonly time: (seconds: number, withTime: boolean) => string;
  readonly percent: (share: number) => string;
}

const HEIGHT = 280;
const DAY = 24 * 60 * 60;
const DARK = matchMedia('(prefers-color-scheme: dark)');

/** Draws a trend into an element, anew when its width or the scheme changes. @returns what takes it away */
export function drawTrend(host: HTMLElement, trend: Trend): () => void {
  // The chart's own styles come with it.
  const href = '/charts.css';
  if (!document.querySelector(`link[href="${href}"]`))
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'stylesheet', href }),
    );
  let chart: uPlot | undefined;
  const draw = (): void => {
    chart?.destroy();
    const data: uPlot.AlignedData = [[...trend.at], ...trend.lines.map(([, , shares]) => shares)];
    chart = new uPlot(optionsOf(trend, host.clientWidth), data, host);
  };
  const resized = new ResizeObserver(() => {
    chart?.setSize({ width: host.clientWidth, height: HEIGHT });
  });
  draw();
  resized.observe(host);
  DARK.addEventListener('change', draw);
  return () => {
    DARK.removeEventListener('change', draw);
    resized.disconnect();
    chart?.destroy();
  };
}

function optionsOf({ at, lines, timeLabel, time, percent }: Trend, width: number): uPlot.Options {
  const colour = (name: string): string =>
    getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const axis = {
    stroke: colour('--soft'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
    font: '13px system-ui, sans-serif',
  };
  const isShort = (at.at(-1) ?? 0) - (at[0] ?? 0) < 4 * DAY;
  const labels = (_chart: uPlot, splits: number[]): string[] =>
    splits.map((moment) => time(moment, isShort));
  return {
    width,
    height: HEIGHT,
    cursor: { drag: { x: false, y: false } },
    scales: { y: { range: (_chart, _min, max) => [0, Math.max(max * 1.1, 0.01)] } },
    axes: [
      { ...axis, space: 128, values: labels },
      { ...axis, size: 64, values: (_chart, splits) => splits.map(percent) },
    ],
    series: [
      {
        label: timeLabel,
        value: (_chart, moment: number | null) => (moment === null ? '' : time(moment, true)),
      },
      ...lines.map(([label, name], index) => ({
        label,
        stroke: colour(name),
        width: 2,
        // Colour says nothing alone.
        ...(index > 0 ? { dash: [6, 4] } : {}),
        points: { show: true, size: 6 },
        value: (_chart: uPlot, share: number | null) => (share === null ? '' : percent(share)),
      })),
    ],
  };
}
