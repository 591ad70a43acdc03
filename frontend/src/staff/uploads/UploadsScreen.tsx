/** Every film that was uploaded lately, and the field for the next one. */
import { useState } from 'react';
import { useQuery } from '../../shared/http/queries';
import { kindsQuery } from '../content/api';
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
      <Uploads service={service} />
    </Screen>
  );
}
