/** What waits for the staff member, by role. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useQuery } from '../../api/query-client';
import { staffQuery } from '../api';
import { moveByArrows } from '../keyboard';
import { paths } from '../paths';
import { has, roleNames, withoutScreens } from '../roles';
import { useStaff } from '../staff';
import { icons } from '../ui/icons';
import { Screen } from '../ui/Screen';
import { words } from '../words';

const texts = words.start;

export function StartScreen() {
  const staff = useStaff();
  const administrator = has(staff, 'administrator');
  const missing = withoutScreens(staff);
  return (
    <Screen title={texts.hello(staff.name)}>
      {administrator && (
        <section className="panel">
          <h2>{texts.waits}</h2>
          <ul className="waits" onKeyDown={moveByArrows}>
            <Accounts />
          </ul>
        </section>
      )}
      {missing.length > 0 && <p className="notice">{texts.noScreens(roleNames(missing))}</p>}
      <section className="panel keys">
        <h2>{texts.shortcuts}</h2>
        <dl>
          <div>
            <dt>
              <kbd>↑</kbd> <kbd>↓</kbd>
            </dt>
            <dd>{texts.arrows}</dd>
          </div>
          <div>
            <dt>
              <kbd>Esc</kbd>
            </dt>
            <dd>{texts.escape}</dd>
          </div>
        </dl>
      </section>
    </Screen>
  );
}

type WaitProps = { to: string; icon: ReactNode; text: string; hint?: string | undefined; urgent?: boolean };

function Wait({ to, icon, text, hint, urgent = false }: WaitProps) {
  return (
    <li>
      <Link to={to} data-item className={urgent ? 'wait urgent' : 'wait'}>
        {icon}
        <span className="wait-text">
          <span className="strong">{text}</span>
          {hint && <span className="muted small">{hint}</span>}
        </span>
        <span className="chevron" aria-hidden="true" />
      </Link>
    </li>
  );
}

function Accounts() {
  const { data } = useQuery(staffQuery);
  if (!data) return null;
  const count = (state: string) => data.filter(member => member.state === state).length;
  const [invited, active] = [count('invited'), count('active')];
  const locked = data.filter(member => member.locked_until !== null).length;
  return (
    <>
      {locked > 0 && <Wait to={paths.staff} icon={icons.key} text={texts.locked(locked)} urgent />}
      <Wait
        to={paths.staff}
        icon={icons.staff}
        text={invited > 0 ? texts.invited(invited) : texts.staff(active)}
        hint={invited > 0 ? texts.staff(active) : undefined}
        urgent={invited > 0}
      />
      <Wait to={paths.audit} icon={icons.audit} text={texts.chain} hint={texts.chainHint} />
    </>
  );
}
