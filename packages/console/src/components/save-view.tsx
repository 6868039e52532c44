import type { ViewPageName } from "@holdfast/api/resources/view-pages";
import { Button, Checkbox, TextInput } from "@mantine/core";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useChange } from "../data/change";
import { useCaller, useMay } from "../data/rights";
import type { SearchTexts } from "../data/search-params";
import { useClient } from "../data/unit";
import { queryOf } from "../data/views";
import { visibleText } from "../texts/foreign-text";
import { Dialog } from "./dialogs";
import { Icon } from "./icons";
import { showNotice } from "./notices";
import { ErrorState } from "./states";

/** A button that saves what the address of a page asks for; nothing while it asks for the whole list. */
export function SaveView({ page, title }: { page: ViewPageName; title: string }) {
  const search: SearchTexts = useSearch({ strict: false });
  const [isOpen, setOpen] = useState(false);
  const query = queryOf(page, search);
  if (query === "" && !isOpen) return null;
  return (
    <>
      <Button
        className="icon-on-phone quiet"
        variant="subtle"
        leftSection={<Icon name="bookmark" size={16} />}
        onClick={() => setOpen(true)}
      >
        Save this view
      </Button>
      {isOpen && <SaveDialog page={page} title={title} query={query} onClose={() => setOpen(false)} />}
    </>
  );
}

interface SaveDialogProps {
  page: ViewPageName;
  title: string;
  query: string;
  onClose: () => void;
}

function SaveDialog({ page, title, query, onClose }: SaveDialogProps) {
  const client = useClient();
  const unitName = useCaller().data?.organizational_unit.name ?? "this unit";
  const mayShare = useMay("views:write");
  const [name, setName] = useState("");
  const [isShared, setShared] = useState(false);
  const save = useChange(
    (_: undefined, idempotencyKey) =>
      client.views.create({ name: name.trim(), page, query, is_shared: isShared }, { idempotencyKey }),
    () => {
      showNotice(`The view is saved. It is below "${title}" in the navigation.`);
      onClose();
    },
  );
  return (
    <Dialog title="Save this view" isOpen onClose={onClose} isDirty={name !== ""}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(undefined);
        }}
      >
        <p>A view keeps the filters and the order of this list. It shows what matches them when it is opened.</p>
        <TextInput
          label="Name"
          required
          withAsterisk={false}
          data-autofocus
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Checkbox
          label={`Share it in ${visibleText(unitName)}`}
          description={
            mayShare
              ? "Everyone who may see views in this unit sees it. Otherwise you alone do, in every unit."
              : "Your role lacks the permission views:write in this unit. You alone see it, in every unit."
          }
          disabled={!mayShare}
          checked={isShared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
        {save.error && <ErrorState error={save.error} />}
        <div className="row-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={name.trim() === ""}>
            Save view
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
