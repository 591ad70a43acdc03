/** The frame of every screen: navigation by role, the search of support, and the content. */
import { type ReactNode, useMemo, useState } from 'react';
import { NavLink, useLocation, useNavigate } from 'react-router';
import { useMutation, useQuery } from '../shared/http/queries';
import { useOpenAt } from '../shared/ui/open-at';
import { approvalsQuery, enter, signOut } from './api';
import { moveByArrows } from './keyboard';
import { NumberSearch } from './NumberSearch';
import { paths } from './paths';
import { useWaitingErasures } from './privacy/api';
import { has, navigation, roleNames } from './roles';
import { LookupContext, useStaff } from './staff';
import { Button } from './ui/Button';
import { notifyFailure } from './ui/failure';
import { icons } from './ui/icons';
import { useAskFirst } from './ui/unsaved';
import { words } from './words';

const ICONS: Record<string, ReactNode> = {
  [paths.start]: icons.start,
  [paths.content]: icons.content,
  [paths.drafts]: icons.drafts,
  [paths.uploads]: icons.uploads,
  [paths.support]: icons.support,
  [paths.approvals]: icons.approvals,
  [paths.books]: icons.books,
  [paths.terms]: icons.terms,
  [paths.differences]: icons.differences,
  [paths.charges]: icons.charges,
  [paths.publishers]: icons.publishers,
  [paths.staff]: icons.staff,
  [paths.audit]: icons.audit,
  [paths.sessions]: icons.sessions,
};

export function Shell({ children }: { children: ReactNode }) {
  const staff = useStaff();
  const [number, setNumber] = useState('');
  const lookup = useMemo(() => ({ number, setNumber }), [number]);
  const [open, setOpen] = useOpenAt(useLocation().pathname);
  return (
    <LookupContext value={lookup}>
      <a className="skip" href="#content">
        {words.skip}
      </a>
      <div className="shell" data-menu={open ? 'open' : undefined}>
        <header className="top">
          <button
            type="button"
            className="button quiet square menu-button"
            aria-expanded={open}
            aria-controls="navigation"
            aria-label={open ? words.nav.close : words.nav.open}
            onClick={() => setOpen(!open)}
          >
            {open ? icons.close : icons.menu}
          </button>
          <span className="product">
            <span className="mark" aria-hidden="true" />
            {words.product}
            <span className="muted">{words.backOffice}</span>
          </span>
          {has(staff, 'support') && <NumberSearch />}
        </header>
        <Navigation onEscape={() => setOpen(false)} />
        <main id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
    </LookupContext>
  );
}

function Navigation({ onEscape }: { onEscape: () => void }) {
  const staff = useStaff();
  const navigate = useNavigate();
  const ask = useAskFirst();
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      enter(null);
      void navigate(paths.signIn);
    },
    onError: notifyFailure,
  });
  return (
    <nav
      id="navigation"
      className="side"
      aria-label={words.nav.label}
      onKeyDown={event => (event.key === 'Escape' ? onEscape() : moveByArrows(event))}
    >
      {navigation(staff).map(({ name, screens }) => (
        <div key={name} className="side-group">
          {name && <p className="side-title">{name}</p>}
          <ul>
            {screens.map(screen => (
              <li key={screen.path}>
                <NavLink to={screen.path} end={screen.path === paths.start} data-item>
                  {ICONS[screen.path]}
                  <span>{screen.name}</span>
                  {screen.path === paths.approvals && <ApprovalCount />}
                </NavLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div className="side-foot">
        <p className="strong">{staff.name}</p>
        <p className="muted small">{roleNames(staff.roles)}</p>
        <Button data-item disabled={leave.isPending} onClick={() => ask(leave.mutate)}>
          {words.nav.signOut}
        </Button>
      </div>
    </nav>
  );
}

/** How many refunds and erasures wait for this staff member's decision. */
function ApprovalCount() {
  const { data = [] } = useQuery(approvalsQuery);
  const erasures = useWaitingErasures();
  const waiting = data.filter(({ mine }) => !mine).length + erasures;
  return waiting > 0 ? <span className="count">{waiting}</span> : null;
}
