import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { RunTrend } from '../../../shared/history.js';
import { trendText } from '../../messages/history.js';
import { dayTime, language, percent, shortDay, t } from '../../state/language.js';
import type { drawTrend } from './trend-chart.js';

type DrawTrend = typeof drawTrend;

/** The shares as lines. What draws them is loaded when it is needed; the table below says the same without it. */
export function TrendFigure({ points }: Pick<RunTrend, 'points'>): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const draw = useSignal<DrawTrend | 'loading' | 'failed'>('loading');
  useEffect(() => {
    import('./trend-chart.js').then(
      (chart) => (draw.value = chart.drawTrend),
      () => (draw.value = 'failed'),
    );
  }, []);
  const known = draw.value;
  const shown = language;
  useEffect(() => {
    if (typeof known === 'string' || !host.current) return undefined;
    return known(host.current, {
      at: points.map(({ startedAt }) => Date.parse(startedAt) / 1000),
      lines: [
        { label: t(trendText.bad), colour: '--bad', shares: points.map((point) => point.badRate) },
        {
          label: t(trendText.rejected),
          colour: '--accent',
          shares: points.map((point) => point.rejectRate),
        },
      ],
      timeLabel: t(trendText.time),
      time: (seconds, withTime) => (withTime ? dayTime : shortDay)(new Date(seconds * 1000)),
      percent: (share) => percent(share, 1),
    });
  }, [known, points, shown]);
  if (known === 'failed') return <p class="notice calm">{t(trendText.noChart)}</p>;
  return <div class="chart" ref={host} role="img" aria-label={t(trendText.chart)} />;
}
