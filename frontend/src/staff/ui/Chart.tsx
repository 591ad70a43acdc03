/**
 * A chart: its summary, the values of a place, the drawing, and the same as a table. A pointer or the arrows choose the place. Without the
 * drawing, which is a file of its own, nothing is missing but the picture.
 */
import {
  type ComponentType,
  type KeyboardEvent,
  lazy,
  type PointerEvent,
  Suspense,
  useMemo,
  useState,
} from 'react';
import { words } from '../words';
import { type ChartPlace, type Drawing, LINES, type PlotProps, type Series } from './chart-style';
import './chart.css';

const texts = words.chart;

const Plot = lazy<ComponentType<PlotProps>>(() => import('./Plot').catch(() => ({ default: () => null })));

type Props = Drawing & {
  title: string;
  /** What the places are: days, hours. */
  of: string;
  format: (value: number) => string;
  /** The values are levels, such as stocks: they are not added up, and the last one stands for all. */
  level?: boolean;
};

const sum = ({ values }: Series): number => values.reduce<number>((total, value) => total + (value ?? 0), 0);

const last = ({ values }: Series): number => values.filter(value => value !== null).at(-1) ?? 0;

/** The total of a series, or its last level, and its largest value. */
function summaryOf(series: Series, places: ChartPlace[], format: Props['format'], level: boolean): string {
  const known = series.values.map(value => value ?? 0);
  const most = Math.max(...known);
  const total = format(level ? last(series) : sum(series));
  if (most <= 0) return texts.total({ name: series.name, total });
  const place = places[known.indexOf(most)]?.name ?? '';
  return (level ? texts.level : texts.summary)({ name: series.name, total, most: format(most), place });
}

/** Where a key leads among the places; `undefined` if it is no key of a chart. */
function placeOf(key: string, at: number | undefined, count: number): number | undefined {
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min((at ?? -1) + 1, count - 1);
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max((at ?? count) - 1, 0);
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return undefined;
}

export function Chart({ title, of, places, series, kind, format, short, level = false }: Props) {
  const [chosen, choose] = useState<number>();
  const drawing = useMemo(() => ({ places, series, kind, short }), [places, series, kind, short]);
  // Places to come have no values yet.
  const known = series.flatMap(({ values }) =>
    values.map((value, index) => (value === null ? 0 : index + 1)),
  );
  const count = Math.max(0, ...known);
  const at = chosen === undefined || chosen >= count ? undefined : chosen;
  const summary = series
    .slice(0, 2)
    .map(each => summaryOf(each, places, format, level))
    .join(' ');
  const valueAt = (each: Series, index: number): string => {
    const value = each.values[index] ?? null;
    return level && value === null ? texts.gap : format(value ?? 0);
  };
  const shown = (each: Series, index: number | undefined): string =>
    index === undefined ? format(level ? last(each) : sum(each)) : valueAt(each, index);
  const whole = level ? texts.last : texts.all;
  const readout = [
    at === undefined ? whole : (places[at]?.name ?? ''),
    ...series.map(each => `${each.name} ${shown(each, at)}`),
  ].join(', ');
  const onPointer = (event: PointerEvent<HTMLElement>) => {
    const area = event.currentTarget.querySelector('.u-over')?.getBoundingClientRect();
    if (!area || area.width === 0) return;
    const index = Math.floor(((event.clientX - area.left) / area.width) * places.length);
    choose(index >= 0 && index < count ? index : undefined);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') choose(undefined);
    const next = placeOf(event.key, at, count);
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
  };
  return (
    <figure className="chart">
      <figcaption className="muted small">{summary}</figcaption>
      <dl className="legend">
        <div>
          <dt className="sr">{of}</dt>
          <dd className="strong">{at === undefined ? whole : places[at]?.name}</dd>
        </div>
        {series.map((each, index) => (
          <div key={each.name}>
            <Mark kind={kind} index={index} />
            <dt className="muted">{each.name}</dt>
            <dd>{shown(each, at)}</dd>
          </div>
        ))}
      </dl>
      {count > 0 && (
        // No input of type range: that could not be drawn upon.
        <div
          className="plot-area"
          role="slider"
          tabIndex={0}
          aria-label={texts.slider({ title })}
          aria-valuemin={1}
          aria-valuemax={count}
          aria-valuenow={(at ?? count - 1) + 1}
          aria-valuetext={readout}
          onKeyDown={onKey}
          onPointerDown={onPointer}
          onPointerMove={onPointer}
          onPointerLeave={event => event.pointerType === 'mouse' && choose(undefined)}
        >
          <Suspense>
            <Plot drawing={drawing} at={at} />
          </Suspense>
        </div>
      )}
      <details className="chart-table">
        <summary>{texts.table}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls where the table is wider, and keys must reach it. */}
        <section className="scroll" aria-label={title} tabIndex={0}>
          <table className="counts">
            <caption className="sr">{title}</caption>
            <thead>
              <tr>
                <th scope="col">{of}</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {places.slice(0, count).map(({ name }, index) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  {series.map(each => (
                    <td key={each.name}>{valueAt(each, index)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}

/** How the series is drawn. */
function Mark({ kind, index }: { kind: Drawing['kind']; index: number }) {
  return (
    <svg
      className={`mark-${kind} series-${index % LINES.length}`}
      viewBox={kind === 'bars' ? '8 0 12 12' : '0 0 28 12'}
      aria-hidden="true"
    >
      {kind === 'bars' ? (
        <rect x="9" y="1" width="10" height="10" />
      ) : (
        <path d="M0 6h28" strokeDasharray={LINES[index % LINES.length]?.dash.join(' ')} />
      )}
    </svg>
  );
}
