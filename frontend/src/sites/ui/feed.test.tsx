import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { comedyBrand, memeBrand, ttBrand } from '../../dev/brands';
import { openPage } from '../../dev/render';
import { server, signedIn } from '../../dev/server';

describe('the feed', () => {
  test('shows the way in with its price, and no player, without a session', async () => {
    openPage('/feed', ttBrand);
    expect((await screen.findAllByRole('link', { name: 'Join now' }))[0]).toHaveAttribute(
      'href',
      '/ttlogin?page=%2Ffeed',
    );
    expect(screen.getAllByText('R3/day')[0]).toBeInTheDocument();
    expect(document.querySelector('video')).not.toBeInTheDocument();
  });

  test('has one player, and Like, Watchlist and Share of the video on the screen', async () => {
    server.use(signedIn());
    openPage('/feed', ttBrand);
    await waitFor(() => expect(document.querySelectorAll('video')).toHaveLength(1));
    for (const name of ['Like', 'Watchlist', 'Share'])
      expect(await screen.findAllByRole('button', { name })).toHaveLength(1);
  });

  test('is led through by keys', async () => {
    server.use(signedIn());
    const scrolled = vi.fn();
    Object.assign(Element.prototype, { scrollTo: scrolled });
    openPage('/feed', comedyBrand);
    await waitFor(() => expect(document.querySelectorAll('video')).toHaveLength(1));
    fireEvent.keyDown(document.body, { key: 'ArrowDown' });
    expect(scrolled).toHaveBeenCalledTimes(1);
  });

  test('is no page of memes', async () => {
    openPage('/feed', memeBrand);
    expect(await screen.findByText(/We looked everywhere/)).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Watch one after another' })).not.toBeInTheDocument();
  });
});
