import type { JSX } from 'preact';
import { query, go } from '../../state/address.js';
import { RunList } from './run-list.js';
import type { RunTrend, Comparison, PastRun, PageProblem } from '../../state/answers.js';
import { StepFrame } from '../../frame/step-frame.js';
import {
  Link,
  Loaded,
  LocalTime,
  numbers,
  OutcomeName,
  ProblemNote,
  Table,
  Waiting,
} from '../../parts/parts.js';
import { call, useAsked, useEvents } from '../../state/call.js';
import { t, dayTime, language, percent, shortDay, withSign } from '../../state/language.js';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { drawTrend } from './trend-chart.js';
import { RunCountsLine, nameOf } from './run-words.js';

/** The runs; `/history/<run>` shows how files like its own went, and with `?with=<run>` what differs between the two. */
export function HistoryStep({ run }: { readonly run: string | null }): JSX.Element {
  const other = query.value.get('with');
  if (run === null) return <RunList />;
  return other === null ? (
    <TrendView key={run} run={run} />
  ) : (
    <CompareView key={`${run} ${other}`} run={run} other={other} />
  );
}

function TrendView({ run }: { readonly run: string }): JSX.Element {
  const load = (signal: AbortSignal) =>
    call('GET /api/runs/:run/trend', { params: { run }, signal });
  const trend = useAsked(load, run);
  const { found } = trend;
  return (
    <StepFrame
      title={found ? t('Trend of {1}', found.source) : t('Trend')}
      facts={found ? [t('{1:run|runs}', found.points.length)] : []}
      command={found?.command ?? undefined}
      back={() => go({ kind: 'history', run: null })}
    >
      <Loaded of={trend} help={<AllRuns />}>
        {(shown) => <Found {...shown} />}
      </Loaded>
    </StepFrame>
  );
}

function Found({ points, isCut }: RunTrend): JSX.Element {
  if (points.length === 0)
    return <p class="notice calm">{t('No import of such a file has any rows.')}</p>;
  return (
    <>
      {points.length === 1 ? (
        <p class="notice calm">{t('There is one run of such a file so far: a trend needs two.')}</p>
      ) : (
        <TrendFigure points={points} />
      )}
      <TrendTable points={points} />
      {isCut && <p class="soft">{t('Earlier runs are left out.')}</p>}
    </>
  );
}

type DrawTrend = typeof drawTrend;

/** The shares as lines. What draws them is loaded when it is needed; the table below says the same without it. */
function TrendFigure({ points }: Pick<RunTrend, 'points'>): JSX.Element {
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
        {
          label: t('Did not end well'),
          colour: '--bad',
          shares: points.map((point) => point.badRate),
        },
        {
          label: t('Rejected'),
          colour: '--accent',
          shares: points.map((point) => point.rejectRate),
        },
      ],
      timeLabel: t('Run'),
      time: (seconds, withTime) => (withTime ? dayTime : shortDay)(new Date(seconds * 1000)),
      percent: (share) => percent(share, 1),
    });
  }, [known, points, shown]);
  if (known === 'failed')
    return (
      <p class="notice calm">
        {t('The chart could not be loaded; the table has the same figures.')}
      </p>
    );
  return (
    <div
      class="chart"
      ref={host}
      role="img"
      aria-label={t(
        'Share of rows that did not end well, run by run. The table below has the same figures.',
      )}
    />
  );
}

type Points = RunTrend['points'];

/** The figures of the chart, the latest first. Each leads to the result that says why. */
function TrendTable({ points }: { readonly points: Points }): JSX.Element {
  const caption = t('Run by run, the latest first');
  const rows = points.map(({ run, file, startedAt, rows, rejectRate, badRate }, index) => {
    const before = points[index - 1];
    return {
      key: `${run} ${file}`,
      cells: [
        <LocalTime iso={startedAt} />,
        <Link to={{ kind: 'run', run }}>{file}</Link>,
        rows,
        percent(rejectRate, 1),
        percent(badRate, 1),
        before && t('{1} points', withSign((badRate - before.badRate) * 100)),
      ],
    };
  });
  return (
    <Table
      {...{ caption, label: caption, rows: rows.reverse() }}
      heads={[
        t('Begun'),
        t('File'),
        numbers(t('Rows')),
        numbers(t('Rejected')),
        numbers(t('Did not end well')),
        numbers(t('Change')),
      ]}
    />
  );
}

interface CompareViewProps {
  readonly run: string;
  readonly other: string;
}

function CompareView({ run, other }: CompareViewProps): JSX.Element {
  const { found, problem } = useComparison(run, other);
  return (
    <StepFrame
      title={t('What has changed')}
      command={found?.command}
      back={() => go({ kind: 'history', run: null })}
    >
      {problem && (
        <ProblemNote problem={problem}>
          <AllRuns />
        </ProblemNote>
      )}
      {!found && !problem && <Waiting />}
      {found && <CompareViewFound {...found} />}
    </StepFrame>
  );
}

function CompareViewFound(found: Comparison): JSX.Element {
  const { earlier, later, share, done, counts, ways } = found;
  const isAlike = done && ways.length === 0;
  const unmatched = counts.withoutUuid[0] + counts.withoutUuid[1];
  return (
    <>
      <div class="pair">
        <Side label={t('Earlier')} run={earlier} />
        <Side label={t('Later')} run={later} />
      </div>
      {!done && (
        <progress
          {...(share === null ? {} : { value: share })}
          max={1}
          aria-label={t('Comparing…')}
        />
      )}
      <p class="soft" role="status">
        {done
          ? t('Compared.')
          : share === null
            ? t('Comparing…')
            : t('{1:percent} compared', Math.floor(share * 10) / 10)}
      </p>
      {isAlike && (
        <p class="notice calm">
          {t(
            counts.same === 0
              ? 'Neither run has a row that can be compared.'
              : unmatched === 0
                ? 'Both runs ended alike: no row differs.'
                : 'The rows that can be compared ended alike.',
          )}
        </p>
      )}
      <CompareCounts counts={counts} />
      {ways.length > 0 && <CompareWays ways={ways} />}
    </>
  );
}

const Side = ({ label, run }: { readonly label: string; readonly run: PastRun }): JSX.Element => (
  <section class="side" aria-label={label}>
    <p class="soft">
      {label} · <LocalTime iso={run.startedAt} />
    </p>
    <p>
      <Link to={{ kind: 'run', run: run.run }}>{nameOf(run)}</Link>
    </p>
    <RunCountsLine run={run} />
    {run.files.length > 0 && run.worksOn === null && !run.rejectsOf && (
      <p>
        <Link to={{ kind: 'history', run: run.run }}>{t('Trend of such files')}</Link>
      </p>
    )}
  </section>
);

interface Comparing {
  readonly found: Comparison | null;
  readonly problem: PageProblem | null;
}

function useComparison(run: string, other: string) {
  const comparing = useSignal<Comparing>({ found: null, problem: null });
  useEvents('GET /api/runs/:run/compared/:other', { run, other }, null, {
    next: (found) => (comparing.value = { found, problem: null }),
    failed: (problem) => (comparing.value = { ...comparing.peek(), problem }),
  });
  return comparing.value;
}

function CompareCounts({ counts }: Pick<Comparison, 'counts'>): JSX.Element {
  const [before, after] = counts.withoutUuid;
  const lines = [
    ['ended differently', counts.changed],
    ['in the later run alone', counts.new],
    ...(counts.endedWell > 0
      ? [['ended well before, so not in the rejects', counts.endedWell] as const]
      : []),
    ['in the earlier run alone', counts.gone],
    ['ended alike', counts.same],
    ['without identifiers, so that they cannot be compared', before + after],
  ] as const;
  return (
    <Table
      frame="scroll fit"
      label={t('Rows of both runs')}
      caption={t('Rows of both runs')}
      heads={[numbers(t('Rows')), { name: t('What became of them'), look: 'words' }]}
      rows={lines.map(([label, count]) => ({ cells: [count, t(label)] }))}
    />
  );
}

type Way = Comparison['ways'][number];

const CompareWays = ({ ways }: Pick<Comparison, 'ways'>): JSX.Element => (
  <section>
    <h2>{t('From one outcome to another')}</h2>
    <Table
      label={t('From one outcome to another')}
      heads={[
        t('Earlier run'),
        t('Later run'),
        numbers(t('Rows')),
        { name: t('For instance'), look: 'words' },
      ]}
      rows={ways.map((way) => ({
        key: `${way.before} ${way.after}`,
        cells: [
          <Ended outcome={way.before} />,
          <Ended outcome={way.after} />,
          ...[way.rows, examplesOf(way)],
        ],
      }))}
    />
  </section>
);

const Ended = ({ outcome }: { readonly outcome: string | null }): JSX.Element =>
  outcome === null ? <span class="soft">{t('not there')}</span> : <OutcomeName outcome={outcome} />;

function examplesOf({ rows, examples }: Way): string {
  const named = examples.map(({ sheet, row }) =>
    [...(sheet === null ? [] : [sheet]), t('row {1}', row)].join(' '),
  );
  return named.join(', ') + (rows > examples.length ? ', …' : '');
}

const AllRuns = (): JSX.Element => (
  <p>
    <Link to={{ kind: 'history', run: null }}>{t('All runs')}</Link>
  </p>
);
