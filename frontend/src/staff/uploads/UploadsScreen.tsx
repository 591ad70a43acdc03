/** Every film that was uploaded lately, and the field for the next one. */
import { useState } from 'react';
import { Link } from 'react-router';
import type { CatalogueView, Upload } from '../../shared/contract/staff';
import { useQuery } from '../../shared/http/queries';
import { kindsQuery } from '../content/api';
import { words as records } from '../content/words';
import { newRecordPath } from '../paths';
import { SelectField } from '../ui/fields';
import { Screen } from '../ui/Screen';
import { words } from '../words';
import { Uploads } from './Uploads';

const texts = words.uploads;

export function UploadsScreen() {
  const { data: catalogues = [] } = useQuery(kindsQuery);
  const services = catalogues.flatMap(({ content }) =>
    content?.kinds.some(({ fields }) => fields.some(({ form }) => form === 'Media')) ? content.services : [],
  );
  const [chosen, setChosen] = useState('');
  const service = chosen || (services[0] ?? '');
  return (
    <Screen title={texts.title} lead={texts.lead}>
      <SelectField
        label={texts.site}
        value={service}
        onChange={({ target }) => setChosen(target.value)}
        options={services.map(each => [each, each])}
      />
      <Uploads service={service} actions={upload => <MakeLink catalogues={catalogues} upload={upload} />} />
    </Screen>
  );
}

type MakeProps = { catalogues: CatalogueView[]; upload: Upload };

/** To the form of a new record that begins with a film that is ready. */
function MakeLink({ catalogues, upload: { film, name, service } }: MakeProps) {
  const site = catalogues.find(({ content }) => content?.services.includes(service));
  const kind = site?.content?.kinds.find(({ fields }) => fields.some(({ form }) => form === 'Media'))?.kind;
  if (!film || !site || !kind) return null;
  const named = { kind: records.oneOf(kind), name };
  return (
    <Link
      className="button primary"
      to={newRecordPath({ catalogue: site.catalogue, kind, service })}
      state={{ film, name }}
      aria-label={texts.makeOf(named)}
    >
      {texts.make(named)}
    </Link>
  );
}
