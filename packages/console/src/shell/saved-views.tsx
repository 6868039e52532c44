import type { ViewPageName } from "@holdfast/api/resources/view-pages";
import { etagOf } from "@holdfast/client";
import { Button, TextInput } from "@mantine/core";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { ConfirmDialog, Dialog } from "../components/dialogs";
import { Icon } from "../components/icons";
import { showNotice } from "../components/notices";
import { type RowAction, RowMenu } from "../components/row-menu";
import { SafeText } from "../components/safe-text";
import { ErrorState, sentencesOf } from "../components/states";
import { useChange } from "../data/change";
import { useMay } from "../data/rights";
import { parseSearch, type SearchTexts } from "../data/search-params";
import { useClient } from "../data/unit";
import { queryOf, useViews, type View } from "../data/views";

interface SavedViewsProps {
  page: ViewPageName;
  path: string;
  onChosen: (() => void) | undefined;
}

/** The views of the page that is open, below its name in the navigation. */
export function SavedViews({ page, path, onChosen }: SavedViewsProps) {
  const views = useViews(page);
  const search: SearchTexts = useSearch({ strict: false });
  const [asked, setAsked] = useState<{ what: "rename" | "delete"; view: View }>();
  if (views.length === 0) return null;
  const shown = queryOf(page, search);
  return (
    <>
      <ul className="nav-views" aria-label="Saved views">
        {views.map((view) => (
          <li key={view.id} className="nav-view">
            <Link
              to={path}
              search={parseSearch(view.query)}
              className="nav-link"
              activeOptions={{ exact: true }}
              onClick={onChosen}
            >
              <span className="clip" title={view.is_shared ? "Shared in this unit" : "Private"}>
                <SafeText text={view.name} />
              </span>
              {view.is_shared && <Icon name="users" size={14} />}
            </Link>
            <ViewMenu view={view} shown={shown} onAsk={(what) => setAsked({ what, view })} />
          </li>
        ))}
      </ul>
      {asked?.what === "rename" && <RenameView view={asked.view} onClose={() => setAsked(undefined)} />}
      {asked?.what === "delete" && <DeleteView view={asked.view} onClose={() => setAsked(undefined)} />}
    </>
  );
}

interface ViewMenuProps {
  view: View;
  /** The query of the list that is shown. */
  shown: string;
  onAsk: (what: "rename" | "delete") => void;
}

function ViewMenu({ view, shown, onAsk }: ViewMenuProps) {
  const client = useClient();
  const mayShare = useMay("views:write");
  const change = useChange((body: { query?: string; is_shared?: boolean }) =>
    client.views.update(view.id, body, { ifMatch: etagOf(view) }),
  );
  const make = (body: { query?: string; is_shared?: boolean }) =>
    change.mutate(body, { onError: (error) => showNotice(sentencesOf(error).join(" "), { stays: true }) });
  const lack = mayShare ? undefined : "Your role lacks the permission views:write in this unit.";
  const reason = view.is_shared ? lack : undefined;
  const actions: RowAction[] = [
    { name: "Rename", reason, act: () => onAsk("rename") },
    {
      name: "Replace with the list shown",
      reason: reason ?? (shown === view.query ? "The list has these filters and this order." : undefined),
      act: () => make({ query: shown }),
    },
    view.is_shared
      ? { name: "Make private", reason, act: () => make({ is_shared: false }) }
      : { name: "Share in this unit", reason: lack, act: () => make({ is_shared: true }) },
    { name: "Delete", isDangerous: true, reason, act: () => onAsk("delete") },
  ];
  return <RowMenu of={view.name} actions={actions} />;
}

function RenameView({ view, onClose }: { view: View; onClose: () => void }) {
  const client = useClient();
  const [name, setName] = useState(view.name);
  const rename = useChange(
    (_: undefined) => client.views.update(view.id, { name: name.trim() }, { ifMatch: etagOf(view) }),
    onClose,
  );
  return (
    <Dialog title="Rename view" isOpen onClose={onClose} isDirty={name !== view.name}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate(undefined);
        }}
      >
        <TextInput
          label="Name"
          required
          withAsterisk={false}
          data-autofocus
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {rename.error && <ErrorState error={rename.error} />}
        <div className="row-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={rename.isPending} disabled={name.trim() === ""}>
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function DeleteView({ view, onClose }: { view: View; onClose: () => void }) {
  const client = useClient();
  const remove = useChange((_: undefined) => client.views.delete(view.id, { ifMatch: etagOf(view) }), onClose);
  return (
    <ConfirmDialog
      title="Delete this view?"
      isOpen
      onClose={onClose}
      confirm="Delete view"
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined)}
    >
      <p>
        <SafeText text={view.name} /> leaves the navigation{view.is_shared ? " of everyone in this unit" : ""}. What it
        lists stays.
      </p>
    </ConfirmDialog>
  );
}
