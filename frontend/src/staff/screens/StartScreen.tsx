/** What waits for the staff member, by role. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useQuery } from '../../shared/http/queries';
import { approvalsQuery, staffQuery } from '../api';
import { draftsQuery } from '../content/api';
import { waitingQuery } from '../content/imports';
import { differencesQuery, monthsQuery } from '../finance/api';
import { monthName, monthToClose } from '../finance/figures';
import { moveByArrows } from '../keyboard';
import { OverviewPanels } from '../overview/OverviewPanels';
import { paths } from '../paths';
import { useWaitingErasures } from '../privacy/api';
import { EDITORS, has } from '../roles';
import { useStaff } from '../staff';
import { icons } from '../ui/icons';
import { Screen } from '../ui/Screen';
import { uploadsQuery } from '../uploads/api';
import { words } from '../words';

const texts = words.start;

export function StartScreen() {
  const staff = useStaff();
  const support = has(staff, 'support');
  const administrator = has(staff, 'administrator');
  const finance = has(staff, 'finance');
  const editor = EDITORS.some(role => has(staff, role));
  return (
    <Screen title={texts.hello({ name: staff.name })}>
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
              <kbd>{texts.escapeKey}</kbd>
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
        text={waiting > 0 ? texts.approvals({ count: waiting }) : texts.noApprovals}
        hint={own > 0 ? texts.own({ count: own }) : undefined}
        urgent={waiting > 0}
      />
      {erasures > 0 && (
        <Wait
          to={paths.approvals}
          icon={icons.approvals}
          text={words.privacy.erasures.wait({ count: erasures })}
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
  const own = data.filter(({ mine, state }) => mine && state === 'draft');
  const returned = own.filter(({ returned_by }) => returned_by !== null).length;
  return (
    <>
      {publisher && (
        <Wait
          to={paths.drafts}
          icon={icons.drafts}
          text={review > 0 ? words.content.start.review({ drafts: review }) : words.content.start.noReview}
          urgent={review > 0}
        />
      )}
      {publisher && <Files />}
      {returned > 0 && (
        <Wait
          to={paths.drafts}
          icon={icons.drafts}
          text={words.content.start.returned({ drafts: returned })}
          urgent
        />
      )}
      {own.length > returned && (
        <Wait
          to={paths.drafts}
          icon={icons.drafts}
          text={words.content.start.own({ drafts: own.length - returned })}
        />
      )}
      <FailedFilms />
      <Wait to={paths.content} icon={icons.content} text={words.content.start.content} />
    </>
  );
}

/** Files that editors uploaded, which only publishers apply. */
function Files() {
  const { data = [] } = useQuery(waitingQuery);
  if (data.length === 0) return null;
  return (
    <Wait to={paths.drafts} icon={icons.drafts} text={words.files.start({ files: data.length })} urgent />
  );
}

/** One's own, until they are removed or replaced. */
function FailedFilms() {
  const { data } = useQuery(uploadsQuery);
  const failed =
    data?.uploads.filter(({ mine, kind, state }) => mine && kind === 'film' && state === 'failed') ?? [];
  if (failed.length === 0) return null;
  return (
    <Wait
      to={paths.uploads}
      icon={icons.uploads}
      text={words.uploads.start({ films: failed.length })}
      hint={failed[0]?.reason}
      urgent
    />
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
        text={
          over ? words.finance.start.toClose({ month: monthName(over) }) : words.finance.start.noneToClose
        }
        urgent={over !== undefined}
      />
      {held > 0 && (
        <Wait
          to={paths.differences}
          icon={icons.differences}
          text={words.finance.start.held({ days: held })}
          urgent
        />
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
      {locked > 0 && <Wait to={paths.staff} icon={icons.key} text={texts.locked({ count: locked })} urgent />}
      <Wait
        to={paths.staff}
        icon={icons.staff}
        text={invited > 0 ? texts.invited({ count: invited }) : texts.staff({ count: active })}
        hint={invited > 0 ? texts.staff({ count: active }) : undefined}
        urgent={invited > 0}
      />
      <Wait to={paths.audit} icon={icons.audit} text={texts.chain} hint={texts.chainHint} />
    </>
  );
}
