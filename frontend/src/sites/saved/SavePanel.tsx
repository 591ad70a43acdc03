/** What can be done with a film: choose its size and save it; pause, go on, remove. */
import { useEffect, useId, useState } from 'react';
import { notify } from '../../shared/ui/notify';
import { decimal, t } from '../messages';
import { lineKind } from '../ui/device';
import type { SaveProps } from '../ui/SaveButton';
import { keepContact } from './contact';
import type { SavedFilm } from './database';
import { refreshFilms, useSavedFilms } from './films';
import type { Size } from './playlists';
import {
  freeBytes,
  mayUseLine,
  offeredSizes,
  pauseSaving,
  removeSaved,
  resumeSaving,
  saveFilm,
  saveRow,
  savesOnAnyLine,
  setSavesOnAnyLine,
} from './saver';
import './saved.css';

const megabytes = (bytes: number): string => `${decimal(bytes / 1e6, 1)} MB`;
/** What is free need not be exact. */
const roughly = (bytes: number): string =>
  bytes < 1e9 ? `${Math.floor(bytes / 1e6)} MB` : `${decimal(Math.floor(bytes / 1e8) / 10, 1)} GB`;

/** Of the last button: a low screen shows the whole panel. */
const intoView = (button: HTMLElement | null): void => button?.scrollIntoView({ block: 'nearest' });

export function SavePanel(props: SaveProps) {
  const film = useSavedFilms().find(({ source }) => source === props.source);
  useEffect(() => {
    refreshFilms().catch(error => console.info('Saved films are not reachable', error));
  }, []);
  return (
    <div className="save-panel">
      <h2>{t('save-film')}</h2>
      {film ? <Saved film={film} /> : <Choice {...props} />}
    </div>
  );
}

function Choice({ source, film, captions, row }: SaveProps) {
  const [sizes, setSizes] = useState<Size[]>();
  const [free, setFree] = useState<number>();
  const [chosen, setChosen] = useState(0);
  const [busy, setBusy] = useState(false);
  const [mayUse, setMayUse] = useState(mayUseLine);
  const [withRow, setWithRow] = useState(false);
  const id = useId();
  useEffect(() => {
    const load = async () => {
      const sizes = offeredSizes(source).catch(() => []);
      // Shown together: a line that came later would move the button away from a finger.
      setFree(await freeBytes().catch(() => undefined));
      setSizes(await sizes);
    };
    load();
  }, [source]);
  if (!sizes) return <p>{t('loading-list')}</p>;
  const size = sizes[chosen];
  if (!size) return <p role="alert">{t('save-failed')}</p>;
  const weightOf = ({ bits }: Size) => (bits * film.seconds) / 8;
  const rowSeconds = row.reduce((sum, each) => sum + each.film.seconds, 0);
  const rowWeight = (size.bits * rowSeconds) / 8;
  const fits = free === undefined || free > weightOf(size) + (withRow ? rowWeight : 0);
  const save = async () => {
    setBusy(true);
    try {
      await saveFilm(source, film, captions, size);
      keepContact();
      if (withRow) await saveRow(row, size.lines);
    } catch (error) {
      console.info('Not saved', error);
      notify(t(navigator.onLine ? 'save-failed' : 'load-offline'));
    }
    setBusy(false);
  };
  return (
    <>
      <label className="field-label" htmlFor={id}>
        {t('save-at-most')}
      </label>
      <select
        id={id}
        className="field"
        value={chosen}
        onChange={({ target }) => setChosen(Number(target.value))}
      >
        {sizes.map((each, place) => (
          <option key={each.lines} value={place}>
            {`${each.lines}p · ${megabytes(weightOf(each))}`}
          </option>
        ))}
      </select>
      {free !== undefined && <p>{t('save-free', { size: roughly(free) })}</p>}
      {row.length > 0 && (
        <label className="save-any">
          <input type="checkbox" checked={withRow} onChange={({ target }) => setWithRow(target.checked)} />
          {t('save-row', { count: row.length, size: megabytes(rowWeight) })}
        </label>
      )}
      {lineKind() !== 'wifi' && <AnyLine onChange={() => setMayUse(mayUseLine())} />}
      {!fits && <p role="alert">{t('save-full')}</p>}
      <button
        ref={intoView}
        type="button"
        className="button"
        disabled={busy || !fits || !mayUse}
        onClick={save}
      >
        {t(busy ? 'loading-button' : 'save')}
      </button>
    </>
  );
}

/** Where the browser does not tell the kind of connection, the visitor says once what may be used. */
function AnyLine({ onChange }: { onChange: () => void }) {
  const [any, setAny] = useState(savesOnAnyLine);
  return (
    <label className="save-any">
      <input
        type="checkbox"
        checked={any}
        onChange={({ target }) => {
          setAny(target.checked);
          setSavesOnAnyLine(target.checked);
          onChange();
        }}
      />
      {t('save-any-line')}
    </label>
  );
}

function Saved({ film }: { film: SavedFilm }) {
  const { source, state, done, parts, bytes } = film;
  const [, rerender] = useState(0);
  return (
    <>
      {state === 'whole' ? (
        <p role="status">{t('save-done', { size: megabytes(bytes) })}</p>
      ) : (
        <>
          <progress value={done} max={parts.length} aria-label={t('save-film')} />
          <p>
            {t('save-so-far', { percent: Math.floor((100 * done) / parts.length), size: megabytes(bytes) })}
          </p>
          {state === 'saving' && lineKind() !== 'wifi' && (
            <AnyLine onChange={() => rerender(count => count + 1)} />
          )}
          {state === 'saving' && !mayUseLine() && <p role="status">{t('save-waits')}</p>}
          <button
            type="button"
            className="button"
            onClick={() => (state === 'saving' ? pauseSaving(source) : resumeSaving(source))}
          >
            {t(state === 'saving' ? 'save-pause' : 'save-resume')}
          </button>
        </>
      )}
      <button
        ref={intoView}
        type="button"
        className="button button-quiet"
        onClick={() => removeSaved(source)}
      >
        {t('remove-item', { title: film.film.title })}
      </button>
    </>
  );
}
