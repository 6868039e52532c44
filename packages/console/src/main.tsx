import { createRoot } from "react-dom/client";
import { App } from "./app";
import { showNotice } from "./components/notices";
import { trackIdleTime } from "./data/idle-tracker";
import { serviceUrl } from "./data/service";
import { onSignOutElsewhere } from "./data/session-gate";
import { followShortcuts } from "./data/shortcuts";
import { newsAfterLoading } from "./data/stale-bundle";
import { followUnsaved } from "./data/unsaved";
import { router } from "./router";

trackIdleTime();
followShortcuts();
followUnsaved();
onSignOutElsewhere(() => location.replace(`${serviceUrl}/console/sign-in`));
// A page that Back brings to life again shows what it showed: after signing out it must not.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});

const news = newsAfterLoading();
if (news) showNotice(news);
void noteUnknownNames();

const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);

/** Says what the address of a link had that no page knows: it is left out. */
async function noteUnknownNames(): Promise<void> {
  const given = [...new URLSearchParams(location.search).keys()];
  await router.load();
  const known = Object.keys(router.state.matches.at(-1)?.search ?? {});
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length > 0 && !location.pathname.endsWith("/sign-in"))
    showNotice(`The address had what cannot be read (${unknown.join(", ")}). It was left out.`, { stays: true });
}
