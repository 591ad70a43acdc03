/** An address without a screen. */
import { Link } from 'react-router';
import { paths } from '../paths';
import { Screen } from '../ui/Screen';
import { words } from '../words';

export function NotFoundScreen() {
  return (
    <Screen title={words.notFound.title} lead={words.notFound.text}>
      <p>
        <Link className="button" to={paths.start}>
          {words.notFound.back}
        </Link>
      </p>
    </Screen>
  );
}
