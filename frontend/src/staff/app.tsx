/** The route table: which screen an address has, who may see it, and which file has it. A role's screens are loaded on demand. */

import type { ComponentType, ReactNode } from 'react';
import { Navigate, Outlet, type RouteObject, ScrollRestoration, useLocation } from 'react-router';
import type { Role } from '../shared/contract/staff';
import { useQuery } from '../shared/http/queries';
import { sessionQuery } from './api';
import { paths, returnPath } from './paths';
import { BUSINESS, EDITORS, has, MONEY } from './roles';
import { Shell } from './Shell';
import { NotFoundScreen } from './screens/NotFoundScreen';
import { ProofDialog, SecondFactorScreen } from './screens/SecondFactorStep';
import { SignInDialog, SignInScreen } from './screens/SignInScreen';
import { StartScreen } from './screens/StartScreen';
import { StaffContext, useStaff } from './staff';
import { PageError, ScreenError } from './ui/errors';
import { Failure, Loading } from './ui/States';
import { UnsavedGuard } from './ui/unsaved';
import { words } from './words';

/** A screen in a file of its own. */
const lazily =
  <Screens,>(load: () => Promise<Screens>, pick: (screens: Screens) => ComponentType) =>
  async () => ({ Component: pick(await load()) });

const account = () => import(/* webpackChunkName: "account" */ './screens/account');
const content = () => import(/* webpackChunkName: "content" */ './content/screens');
const finance = () => import(/* webpackChunkName: "finance" */ './finance/screens');
const support = () => import(/* webpackChunkName: "support" */ './screens/support');
const administration = () => import(/* webpackChunkName: "administration" */ './screens/administration');
const charges = () => import(/* webpackChunkName: "charges" */ './charges/ChargesScreen');
const publishers = () => import(/* webpackChunkName: "publishers" */ './publishers/PublishersScreen');
/** With the client of the tus protocol, which no other screen needs. */
const uploads = () => import(/* webpackChunkName: "uploads" */ './uploads/UploadsScreen');
/** With the library of drag and drop. */
const arrange = () => import(/* webpackChunkName: "arrange" */ './content/ArrangeScreen');

/** The screens of some roles. */
const only = (roles: Role[], children: RouteObject[]): RouteObject => ({
  element: <OnlyFor roles={roles} />,
  children,
});

const SCREENS: RouteObject[] = [
  { path: paths.start, element: <StartScreen /> },
  { path: paths.sessions, lazy: lazily(account, screens => screens.SessionsScreen) },
  only(EDITORS, [
    { path: paths.content, lazy: lazily(content, screens => screens.ContentScreen) },
    { path: paths.record, lazy: lazily(content, screens => screens.RecordScreen) },
    { path: paths.newRecord, lazy: lazily(content, screens => screens.NewRecordScreen) },
    { path: paths.arrange, lazy: lazily(arrange, screens => screens.ArrangeScreen) },
    { path: paths.drafts, lazy: lazily(content, screens => screens.DraftsScreen) },
    { path: paths.uploads, lazy: lazily(uploads, screens => screens.UploadsScreen) },
    { path: paths.importFile, lazy: lazily(content, screens => screens.ImportScreen) },
    { path: paths.import, lazy: lazily(content, screens => screens.ImportedFileScreen) },
  ]),
  only(
    ['support'],
    [
      { path: paths.support, lazy: lazily(support, screens => screens.SupportScreen) },
      { path: paths.approvals, lazy: lazily(support, screens => screens.ApprovalsScreen) },
    ],
  ),
  only(
    ['finance'],
    [
      { path: paths.books, lazy: lazily(finance, screens => screens.BooksScreen) },
      { path: paths.terms, lazy: lazily(finance, screens => screens.TermsScreen) },
      { path: paths.differences, lazy: lazily(finance, screens => screens.DifferencesScreen) },
    ],
  ),
  only(MONEY, [{ path: paths.charges, lazy: lazily(charges, screens => screens.ChargesScreen) }]),
  only(BUSINESS, [{ path: paths.publishers, lazy: lazily(publishers, screens => screens.PublishersScreen) }]),
  only(
    ['administrator'],
    [
      { path: paths.staff, lazy: lazily(administration, screens => screens.StaffScreen) },
      { path: paths.staffSessions, lazy: lazily(account, screens => screens.SessionsScreen) },
      { path: paths.audit, lazy: lazily(administration, screens => screens.AuditScreen) },
    ],
  ),
  { path: '*', element: <NotFoundScreen /> },
];

export const routes: RouteObject[] = [
  {
    element: (
      <UnsavedGuard>
        <Outlet />
        <ProofDialog />
        <SignInDialog />
        <ScrollRestoration />
      </UnsavedGuard>
    ),
    errorElement: <PageError />,
    hydrateFallbackElement: <Waiting />,
    children: [
      { path: paths.invitation, lazy: lazily(account, screens => screens.InvitationScreen) },
      { path: paths.signIn, element: <SignInOrReturn screen={<SignInScreen />} /> },
      { path: paths.secondFactor, element: <SignInOrReturn screen={<SecondFactorScreen />} /> },
      {
        element: <SignedIn />,
        // A screen that throws keeps the navigation; the next address shows its own screen.
        children: [{ errorElement: <ScreenError />, children: SCREENS }],
      },
    ],
  },
];

function Waiting({ children = <Loading /> }: { children?: ReactNode }) {
  return <main className="outside">{children}</main>;
}

/** Waits for the session, and lets `children` decide on it. */
function WithSession({
  children,
}: {
  children: (session: ReturnType<typeof useSession>['data']) => ReactNode;
}) {
  const session = useSession();
  if (session.data !== undefined) return children(session.data);
  if (!session.error) return <Waiting />;
  return (
    <Waiting>
      <Failure error={session.error} retry={() => void session.refetch()} />
    </Waiting>
  );
}
const useSession = () => useQuery(sessionQuery);

function SignedIn() {
  const { pathname, search } = useLocation();
  return (
    <WithSession>
      {staff =>
        staff ? (
          <StaffContext value={staff}>
            <Shell key={staff.id}>
              <Outlet />
            </Shell>
          </StaffContext>
        ) : (
          <Navigate to={paths.signIn} state={{ from: pathname + search }} replace />
        )
      }
    </WithSession>
  );
}

function SignInOrReturn({ screen }: { screen: ReactNode }) {
  const { state } = useLocation();
  const from = (state as { from?: unknown } | null)?.from;
  return <WithSession>{staff => (staff ? <Navigate to={returnPath(from)} replace /> : screen)}</WithSession>;
}

function OnlyFor({ roles }: { roles: Role[] }) {
  const staff = useStaff();
  if (roles.some(role => has(staff, role))) return <Outlet />;
  return (
    <div className="empty" role="alert">
      <h1>{words.common.forbidden}</h1>
      <p className="muted">{words.common.forbiddenHint}</p>
    </div>
  );
}
