/**
 * A page that failed. If its file is lost, usually because of a new release while the tab was open, the browser opens its address as an
 * ordinary link would; otherwise the server's plain page takes its place. Offline, and where neither helps, this says what is wrong.
 */

import { Component, type ReactNode } from 'react';
import { t } from '../messages';
import { openPlainPage } from '../plain-page';
import { Frame } from './Frame';

export class ErrorBoundary extends Component<
  { at: string; children: ReactNode },
  { failed: boolean; leaving: boolean }
> {
  override state = { failed: false, leaving: false };

  /** The location that the document was opened at: for its file the browser would ask in vain. */
  first = this.props.at;

  override componentDidCatch(error: Error) {
    if (!navigator.onLine) return;
    if (error.name !== 'ChunkLoadError' || this.props.at === this.first)
      return this.setState({ leaving: openPlainPage() });
    this.setState({ leaving: true });
    window.location.reload();
  }

  override componentDidMount() {
    window.addEventListener('online', this.loadAgain);
  }

  override componentWillUnmount() {
    window.removeEventListener('online', this.loadAgain);
  }

  override componentDidUpdate(before: { at: string }) {
    if (this.state.failed && before.at !== this.props.at) this.setState({ failed: false });
  }

  /** Reloads a page that failed offline when the connection is back. */
  loadAgain = () => {
    if (this.state.failed) window.location.reload();
  };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    if (this.state.leaving)
      return <div className="progress" role="progressbar" aria-label={t('loading-page')} />;
    return (
      <Frame title={t('failed-title')}>
        <div className="notice notice-page" role="alert">
          <h1>{t('failed-heading')}</h1>
          <p>{t('failed-why')}</p>
          <button type="button" className="button" onClick={() => window.location.reload()}>
            {t('load-again')}
          </button>
        </div>
      </Frame>
    );
  }
}
