/** The route table: which screen an address has, and who may see it. */
import { lazy, type ReactNode, Suspense } from 'react';
import { Navigate, Outlet, Route, Routes, useLocation } from 'react-router';
import { useQuery } from '../api/query-client';
import { sessionQuery } from './api';
import { ContentScreen } from './content/ContentScreen';
import { DraftsScreen } from './content/DraftsScreen';
import { ImportedFileScreen } from './content/ImportedFileScreen';
import { ImportScreen } from './content/ImportScreen';
import { NewRecordScreen, RecordScreen } from './content/RecordScreen';
import { BooksScreen } from './finance/BooksScreen';
import { DifferencesScreen } from './finance/DifferencesScreen';
import { TermsScreen } from './finance/TermsScreen';
import { paths, returnPath } from './paths';
import { PublishersScreen } from './publishers/PublishersScreen';
import { BUSINESS, EDITORS, has } from './roles';
import { Shell } from './Shell';
import { ApprovalsScreen } from './screens/ApprovalsScreen';
import { AuditScreen } from './screens/AuditScreen';
import { InvitationScreen } from './screens/InvitationScreen';
import { NotFoundScreen } from './screens/NotFoundScreen';
import { SecondFactorScreen } from './screens/SecondFactorStep';
import { SessionsScreen } from './screens/SessionsScreen';
import { SignInScreen } from './screens/SignInScreen';
import { StaffScreen } from './screens/StaffScreen';
import { StartScreen } from './screens/StartScreen';
import { SupportScreen } from './screens/SupportScreen';
import { StaffContext, useStaff } from './staff';
import type { Role } from './types';
import { Failure, Loading } from './ui/States';
import { words } from './words';

/** With the client of the tus protocol, which no other screen needs. */
const UploadsScreen = lazy(() => import('./uploads/UploadsScreen'));

/** With the library of drag and drop. */
const ArrangeScreen = lazy(() => import('./content/ArrangeScreen'));

export function App() {
  return (
    <Routes>
      <Route path={paths.invitation} element={<InvitationScreen />} />
      <Route path={paths.signIn} element={<SignInOrReturn screen={<SignInScreen />} />} />
      <Route path={paths.secondFactor} element={<SignInOrReturn screen={<SecondFactorScreen />} />} />
      <Route element={<SignedIn />}>
        <Route path={paths.start} element={<StartScreen />} />
        <Route path={paths.sessions} element={<SessionsScreen />} />
        <Route element={<OnlyFor roles={EDITORS} />}>
          <Route path={paths.content} element={<ContentScreen />} />
          <Route path={paths.record} element={<RecordScreen />} />
          <Route path={paths.newRecord} element={<NewRecordScreen />} />
          <Route
            path={paths.arrange}
            element={
              <Suspense fallback={<Loading />}>
                <ArrangeScreen />
              </Suspense>
            }
          />
          <Route path={paths.drafts} element={<DraftsScreen />} />
          <Route
            path={paths.uploads}
            element={
              <Suspense fallback={<Loading />}>
                <UploadsScreen />
              </Suspense>
            }
          />
          <Route path={paths.importFile} element={<ImportScreen />} />
          <Route path={paths.import} element={<ImportedFileScreen />} />
        </Route>
        <Route element={<OnlyFor roles={['support']} />}>
          <Route path={paths.support} element={<SupportScreen />} />
          <Route path={paths.approvals} element={<ApprovalsScreen />} />
        </Route>
        <Route element={<OnlyFor roles={['finance']} />}>
          <Route path={paths.books} element={<BooksScreen />} />
          <Route path={paths.terms} element={<TermsScreen />} />
          <Route path={paths.differences} element={<DifferencesScreen />} />
        </Route>
        <Route element={<OnlyFor roles={BUSINESS} />}>
          <Route path={paths.publishers} element={<PublishersScreen />} />
        </Route>
        <Route element={<OnlyFor roles={['administrator']} />}>
          <Route path={paths.staff} element={<StaffScreen />} />
          <Route path={paths.staffSessions} element={<SessionsScreen />} />
          <Route path={paths.audit} element={<AuditScreen />} />
        </Route>
        <Route path="*" element={<NotFoundScreen />} />
      </Route>
    </Routes>
  );
}

/** Waits for the session, and lets `children` decide on it. */
function WithSession({
  children,
}: {
  children: (session: ReturnType<typeof useSession>['data']) => ReactNode;
}) {
  const session = useSession();
  if (session.data === undefined)
    return (
      <main className="outside">
        {session.error ? <Failure error={session.error} retry={() => void session.refetch()} /> : <Loading />}
      </main>
    );
  return children(session.data);
}
const useSession = () => useQuery(sessionQuery);

function SignedIn() {
  const { pathname } = useLocation();
  return (
    <WithSession>
      {staff =>
        staff ? (
          <StaffContext value={staff}>
            <Shell>
              <Outlet />
            </Shell>
          </StaffContext>
        ) : (
          <Navigate to={paths.signIn} state={{ from: pathname }} replace />
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
