import { Modal } from "@mantine/core";
import { Outlet, useLocation } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { ErrorState, SkeletonRows } from "../components/states";
import { connection } from "../data/connection";
import { useCaller, useDiscovery } from "../data/rights";
import { hasCode } from "../data/service";
import { useStore } from "../data/store";
import { isOffered, pageAt, permissionFor } from "../pages/pages";
import { ConnectionBar } from "./connection-bar";
import { Header } from "./header";
import { InShell } from "./in-shell";
import { Navigation } from "./navigation";
import { Forbidden, NoRoleHere, ReporterOnly } from "./no-rights";
import { SignInAgain } from "./sign-in-again";
import { useThemeColour } from "./theme-colour";

const unitForbidden = 40301;
const unitMalformed = 40011;

/** Frame of every page: header, navigation, and the state of the connection. */
export function Shell() {
  const [isMenuOpen, setMenuOpen] = useState(false);
  const { state } = useStore(connection);
  useThemeColour();
  return (
    <div className={state === "away" ? "shell is-away" : "shell"}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Header onMenu={() => setMenuOpen(true)} />
      <div className="shell-navigation">
        <Navigation />
      </div>
      <Modal className="side-menu" opened={isMenuOpen} onClose={() => setMenuOpen(false)} title="Holdfast">
        <Navigation onChosen={() => setMenuOpen(false)} />
      </Modal>
      <div className="shell-main-frame">
        <ConnectionBar />
        <main id="main" className="shell-main" tabIndex={-1}>
          <InShell value={true}>
            <Contents />
          </InShell>
        </main>
      </div>
      <SignInAgain />
    </div>
  );
}

function Contents() {
  const discovery = useDiscovery();
  const caller = useCaller();
  const { pathname } = useLocation();
  const error = discovery.error ?? caller.error;
  if (hasCode(error, unitForbidden, unitMalformed)) return <NoRoleHere />;
  if (error && !caller.data)
    return <ErrorState error={error} onRetry={() => void Promise.all([discovery.refetch(), caller.refetch()])} />;
  if (!discovery.data || !caller.data) return <SkeletonRows />;
  const page = pageAt(pathname);
  if (page && !isOffered(page, discovery.data, caller.data.permissions))
    return page.path === "/" ? <ReporterOnly /> : <Forbidden title={page.name} permission={permissionFor(page)} />;
  return (
    <Suspense fallback={<SkeletonRows />}>
      <Outlet />
    </Suspense>
  );
}
