/** What the drawing of a chart and its legend have in common. */
export type Series = { name: string; values: (number | null)[] };

/** A place on the axis: its name, and the short mark that stands below the axis. */
export type ChartPlace = { name: string; mark: string };

export type Drawing = {
  places: ChartPlace[];
  series: Series[];
  /** Bars of at most two series; the second is an outline. */
  kind: 'bars' | 'lines';
  /** A value in few letters, for the axis. */
  short: (value: number) => string;
};

/** `at` is the place to mark. */
export type PlotProps = { drawing: Drawing; at: number | undefined };

/** Lines differ by their dashes as well as their colours; a legend's are the same. */
export const LINES: { colour: string; dash: number[] }[] = [
  { colour: '--accent', dash: [] },
  { colour: '--focus', dash: [7, 3] },
  { colour: '--warm', dash: [2, 2] },
  { colour: '--plot-violet', dash: [9, 3, 2, 3] },
  { colour: '--plot-pink', dash: [4, 2] },
  { colour: '--muted', dash: [12, 4] },
];
