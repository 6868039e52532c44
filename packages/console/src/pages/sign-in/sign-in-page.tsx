import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { EntryCard } from "../../components/entry-card";
import { usePageTitle } from "../../components/page";
import { SignInForm } from "../../components/sign-in-form";
import { basePath } from "../../data/page-facts";
import { queryClient } from "../../data/query-client";
import { service, serviceUrl } from "../../data/service";

const errorTexts: Readonly<Record<string, string>> = {
  "50303": "The provider cannot be reached. Try again in a moment.",
};

/** Where a person may be sent after signing in: to the console, and nowhere else. */
export function safeReturn(path: string | undefined): string {
  const home = `${basePath}/console/`;
  if (path === undefined || /[\\\s]/.test(path)) return home;
  const { origin, pathname, search, hash } = new URL(path, location.origin);
  return origin === location.origin && pathname.startsWith(home) ? pathname + search + hash : home;
}

export function SignInPage() {
  usePageTitle("Sign in · Holdfast");
  const { return_to, error } = useSearch({
    strict: false,
    select: (search: Record<string, string | undefined>) => search,
  });
  const { history } = useRouter();
  const returnTo = safeReturn(return_to);
  const { data: options } = useQuery({
    queryKey: ["sign-in-options"],
    queryFn: ({ signal }) => service.session.signInOptions({ signal }),
  });
  const openid = options?.openid;
  return (
    <EntryCard title="Sign in">
      {error !== undefined && (
        <p role="alert" className="notice look-error">
          {errorTexts[error] ?? "Signing in with the provider did not work. Try again, or ask your administrator."}
        </p>
      )}
      {options?.has_owner === false && (
        <p className="notice look-neutral">
          This Holdfast has no owner yet. The line "Become the first owner" in the output of the service has the link.
        </p>
      )}
      {openid && (
        <Button
          component="a"
          href={`${serviceUrl}${openid.href}?return_to=${encodeURIComponent(returnTo.slice(basePath.length))}`}
          variant={options.password ? "default" : "filled"}
          fullWidth
        >
          Sign in with {openid.name}
        </Button>
      )}
      {(options?.password ?? true) && (
        <SignInForm
          onSignedIn={() => {
            void queryClient.removeQueries({ predicate: ({ queryKey: [first] }) => first !== "session" });
            history.replace(returnTo);
          }}
        />
      )}
    </EntryCard>
  );
}
