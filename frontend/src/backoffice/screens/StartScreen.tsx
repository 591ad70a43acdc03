/** What waits for the staff member, by role. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useQuery } from '../../api/query-client';
import { approvalsQuery, staffQuery } from '../api';
import { draftsQuery } from '../content/api';
import { words as contentWords } from '../content/words';
import { differencesQuery, monthsQuery } from '../finance/api';
import { monthName, monthToClose } from '../finance/figures';
import { words as financeWords } from '../finance/words';
import { moveByArrows } from '../keyboard';
import { OverviewPanels } from '../overview/OverviewPanels';
import { paths } from '../paths';
import { useWaitingErasures } from '../privacy/api';
import { words as privacyWords } from '../privacy/words';
import { EDITORS, has } from '../roles';
import { useStaff } from '../staff';
import { icons } from '../ui/icons';
import { Screen } from '../ui/Screen';
import { words } from '../words';

const texts = words.start;

export function StartScreen() {
  const staff = useStaff();
  const support = has(staff, 'support');
  const administrator = has(staff, 'administrator');
  const finance = has(staff, 'finance');
  const editor = EDITORS.some(role => has(staff, role));
  return (
    <Screen title={texts.hello(staff.name)}>
      <section className="panel">
        <h2>{texts.waits}</h2>
        <ul className="waits" onKeyDown={moveByArrows}>
          {editor && <Content />}
          {support && <Refunds />}
          {finance && <Months />}
          {administrator && <Accounts />}
        </ul>
      </section>
      {(support || finance || administrator) && <OverviewPanels finance={finance} />}
      <section className="panel keys">
        <h2>{texts.shortcuts}</h2>
        <dl>
          {(support || editor) && (
            <div>
              <dt>
                <kbd>/</kbd>
              </dt>
              <dd>{texts.slash}</dd>
            </div>
          )}
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

function Refunds() {
  const { data } = useQuery(approvalsQuery);
  const erasures = useWaitingErasures();
  if (!data) return null;
  const waiting = data.filter(({ mine }) => !mine).length;
  const own = data.length - waiting;
  return (
    <>
      <Wait
        to={paths.approvals}
        icon={icons.approvals}
        text={waiting > 0 ? texts.approvals(waiting) : texts.noApprovals}
        hint={own > 0 ? texts.own(own) : undefined}
        urgent={waiting > 0}
      />
      {erasures > 0 && (
        <Wait
          to={paths.approvals}
          icon={icons.approvals}
          text={privacyWords.erasures.wait(erasures)}
          urgent
        />
      )}
      <Wait to={paths.support} icon={icons.search} text={texts.searchTitle} hint={texts.searchHint} />
    </>
  );
}

function Content() {
  const publisher = has(useStaff(), 'publisher');
  const { data } = useQuery(draftsQuery);
  if (!data) return null;
  const review = data.filter(({ state }) => state === 'review').length;
  const returned = data.filter(({ mine, returned_by }) => mine && returned_by !== null).length;
  return (
    <>
      {publisher && (
        <Wait
          to={paths.drafts}
          icon={icons.drafts}
          text={review > 0 ? contentWords.start.review(review) : contentWords.start.noReview}
          urgent={review > 0}
        />
      )}
      {returned > 0 && (
        <Wait to={paths.drafts} icon={icons.drafts} text={contentWords.start.returned(returned)} urgent />
      )}
      <Wait to={paths.content} icon={icons.content} text={contentWords.start.content} />
    </>
  );
}

function Months() {
  const { data } = useQuery(monthsQuery);
  const { data: days = [] } = useQuery(differencesQuery);
  if (!data) return null;
  const over = monthToClose(data.months);
  const held = days.filter(({ state }) => state === 'held').length;
  return (
    <>
      <Wait
        to={paths.books}
        icon={icons.books}
        text={over ? financeWords.start.toClose(monthName(over)) : financeWords.start.noneToClose}
        urgent={over !== undefined}
      />
      {held > 0 && (
        <Wait to={paths.differences} icon={icons.differences} text={financeWords.start.held(held)} urgent />
      )}
    </>
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
