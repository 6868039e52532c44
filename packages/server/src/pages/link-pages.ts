import { cspHash } from "./csp-hash";
import { firstOwnerForm, invitationForm } from "./link-pages/forms";
import { type LinkForm, renderLinkPage } from "./link-pages/page";
import { linkPageScript } from "./link-pages/script";
import { linkPageStyle } from "./link-pages/style";

const policy = [
  "default-src 'none'",
  `style-src ${cspHash(linkPageStyle)}`,
  `script-src ${cspHash(linkPageScript)}`,
  "connect-src 'self'",
  "img-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  // The script sends what was typed. A form that sent itself would put the password into the address.
  "form-action 'none'",
].join("; ");

/** A page that the service writes itself. */
export interface LinkPage {
  path: string;
  /** Name in the log and the metrics for reading it. */
  name: string;
  body: string;
  headers: Record<string, string>;
}

/** The pages that one-time links lead to. What is typed there is sent to the POST of the same path. */
export const linkPages: readonly LinkPage[] = [
  linkPage("/invitation", "read-invitation-page", invitationForm),
  linkPage("/first-owner", "read-first-owner-page", firstOwnerForm),
];

function linkPage(path: string, name: string, form: LinkForm): LinkPage {
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy,
    "Cache-Control": "no-store",
  };
  return { path, name, body: renderLinkPage(form), headers };
}
