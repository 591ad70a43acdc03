import { Link } from 'react-router';
import { brand, iconOf } from '../../brand';
import { paths } from '../../paths';
import { Frame } from '../../ui/Frame';

export default function NotFoundPage() {
  return (
    <Frame title="Page not found">
      <div className="notice notice-page">
        <img className="notice-icon" src={iconOf(brand())} alt="" width="96" height="96" />
        <h1>We looked everywhere.</h1>
        <p>There is no page at this address. It may have moved, or the link may be incomplete.</p>
        <Link className="button" to={paths.root()}>
          Go to the home page
        </Link>
      </div>
    </Frame>
  );
}
