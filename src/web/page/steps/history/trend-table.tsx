import type { JSX } from 'preact';
import type { RunTrend } from '../../../shared/history.js';
import { historyText, trendText } from '../../messages/history.js';
import { Link } from '../../parts/link.js';
import { LocalTime } from '../../parts/local-time.js';
import { number, percent, t, withSign } from '../../state/language.js';

type Points = RunTrend['points'];

/** The figures of the chart, the latest first. Each leads to the result that says why. */
export function TrendTable({ points }: { readonly points: Points }): JSX.Element {
  const caption = t(trendText.table);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{t(historyText.begun)}</th>
            <th scope="col">{t(trendText.file)}</th>
            {[historyText.rowsHeader, trendText.rejected, trendText.bad, trendText.change].map(
              (label) => (
                <th scope="col" class="number">
                  {t(label)}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {points
            .map((point, index) => (
              <PointRow
                key={`${point.run} ${point.file}`}
                point={point}
                before={points[index - 1]}
              />
            ))
            .reverse()}
        </tbody>
      </table>
    </div>
  );
}

interface PointRowProps {
  readonly point: Points[number];
  /** The one before it; none for the first. */
  readonly before: Points[number] | undefined;
}

const PointRow = ({ point, before }: PointRowProps): JSX.Element => (
  <tr>
    <td>
      <LocalTime iso={point.startedAt} />
    </td>
    <td>
      <Link to={{ kind: 'run', run: point.run }}>{point.file}</Link>
    </td>
    <td class="number">{number(point.rows)}</td>
    <td class="number">{percent(point.rejectRate, 1)}</td>
    <td class="number">{percent(point.badRate, 1)}</td>
    <td class="number">
      {before && t(trendText.points, withSign((point.badRate - before.badRate) * 100))}
    </td>
  </tr>
);
