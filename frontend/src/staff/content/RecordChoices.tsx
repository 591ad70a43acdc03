/** The records that a field may name, as its choices: those that the typed words find, and new ones that are drafts still. */

import { useQuery } from '../../shared/http/queries';
import { useDebounced } from '../ui/debounced';
import { choicesQuery, draftsQuery } from './api';
import type { Place } from './types';

export function RecordChoices({ id, place, q }: { id: string; place: Place; q: string }) {
  const { data: records = [] } = useQuery(choicesQuery(place, useDebounced(q.replaceAll('-', ' '))));
  const { data: drafts = [] } = useQuery(draftsQuery);
  const isNew = ({ base, ...draft }: (typeof drafts)[number]) =>
    base === null && draft.service === place.service && draft.kind === place.kind;
  const choices = [...drafts.filter(isNew).map(({ slug }) => ({ slug, title: slug })), ...records];
  return (
    <datalist id={id}>
      {choices.map(({ slug, title }) => (
        <option key={slug} value={slug}>
          {title}
        </option>
      ))}
    </datalist>
  );
}
