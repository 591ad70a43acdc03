/** The only module that imports uPlot: draws bars or lines. Loaded with the first chart; what it shows is in `Chart` as text, too. */
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { type Drawing, LINES, type PlotProps, type Series } from './chart-style';

const HEIGHT = 190;
/** Whole steps: neither a cent nor a subscriber has parts. */
const STEPS = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map(step => step * 10 ** power)).flat();

type Colours = (variable: string) => string;

function seriesOf({ series, kind }: Drawing, colour: Colours): uPlot.Series[] {
  if (kind === 'lines')
    return series.map((_, index) => {
      const line = LINES[index % LINES.length] ?? { colour: '--accent', dash: [] };
      return { stroke: () => colour(line.colour), width: 2, dash: line.dash, points: { size: 5 } };
    });
  return series.map((_, index) => {
    const stroke = () => colour(index === 0 ? '--accent' : '--warm');
    return {
      stroke,
      ...(index === 0 && { fill: stroke }),
      width: 1.5,
      points: { show: false },
      paths: uPlot.paths.bars?.(
        series.length === 1 ? { size: [0.7, 48, 1] } : { size: [0.38, 32, 1], align: index === 0 ? -1 : 1 },
      ),
    } as uPlot.Series;
  });
}

function optionsOf(drawing: Drawing, width: number, colour: Colours, marked: () => number | undefined) {
  const { places, short } = drawing;
  const font = `12px ${colour('font-family')}`;
  const axis = {
    font,
    stroke: () => colour('--muted'),
    grid: { stroke: () => colour('--line'), width: 1 },
    ticks: { show: false },
    gap: 4,
    incrs: STEPS,
  };
  return {
    width,
    height: HEIGHT,
    padding: [8, 4, 0, 4],
    legend: { show: false },
    // `Chart` has the pointer and the keys.
    cursor: { show: false },
    scales: {
      x: { time: false, range: [-0.5, places.length - 0.5] },
      y: { range: { min: { pad: 0, soft: 0, mode: 1 }, max: { pad: 0.1, soft: 1, mode: 1 } } },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        incrs: [1, 2, 3, 4, 6, 7, 12, 14],
        size: 22,
        space: 44,
        values: (_, at) => at.map(index => places[index]?.mark ?? ''),
      },
      {
        ...axis,
        size: (_, values) => 12 + 7 * Math.max(0, ...(values ?? []).map(text => text.length)),
        space: 34,
        values: (_, at) => at.map(short),
      },
    ],
    series: [{}, ...seriesOf(drawing, colour)],
    hooks: {
      drawClear: [
        ({ ctx, bbox, valToPos }) => {
          const at = marked();
          if (at === undefined) return;
          const [from, to] = [valToPos(at - 0.5, 'x', true), valToPos(at + 0.5, 'x', true)];
          ctx.fillStyle = colour('--active');
          ctx.fillRect(from, bbox.top, to - from, bbox.height);
        },
      ],
    },
  } satisfies uPlot.Options;
}

export default function Plot({ drawing, at }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot>(undefined);
  const marked = useRef(at);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const style = getComputedStyle(element);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const options = optionsOf(drawing, element.clientWidth, colour, () => marked.current);
    // The outline of a bar of nothing would be a line.
    const valuesOf = ({ values }: Series) =>
      drawing.kind === 'bars' ? values.map(value => value || null) : values;
    const data = [drawing.places.map((_, index) => index), ...drawing.series.map(valuesOf)];
    const plot = new uPlot(options, data as uPlot.AlignedData, element);
    drawn.current = plot;
    const resized = new ResizeObserver(() =>
      plot.setSize({ width: Math.max(1, element.clientWidth), height: HEIGHT }),
    );
    resized.observe(element);
    const redraw = () => plot.redraw();
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', redraw);
    return () => {
      dark.removeEventListener('change', redraw);
      resized.disconnect();
      plot.destroy();
    };
  }, [drawing]);
  useEffect(() => {
    marked.current = at;
    drawn.current?.redraw(false);
  }, [at]);
  return <div ref={box} className="plot" />;
}
