import { createRoot } from "react-dom/client";
import { App } from "./app";
import { followAttention } from "./data/attention";
import { serviceUrl } from "./data/service";
import { onSignOutElsewhere } from "./data/session-gate";
import { followShortcuts } from "./data/shortcuts";
import { followUnsaved } from "./data/unsaved";

followAttention();
followShortcuts();
followUnsaved();
onSignOutElsewhere(() => location.replace(`${serviceUrl}/console/sign-in`));
// A page that Back brings to life again shows what it showed: after signing out it must not.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});

const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);
