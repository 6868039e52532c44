import { Button, NativeSelect, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { colorSchemes, useColorScheme } from "../../components/color-schemes";
import { LeaveGuard } from "../../components/leave-guard";
import { showNotice } from "../../components/notices";
import { Panel } from "../../components/panel";
import { ErrorState } from "../../components/states";
import { chooseUtc, showsUtc } from "../../components/time-text";
import { Untrusted } from "../../components/untrusted";
import { useChange } from "../../data/change";
import { queryClient } from "../../data/query-client";
import { service } from "../../data/service";
import { sessionQuery, useSession } from "../../data/session";
import { chooseShortcuts, usesShortcuts } from "../../data/shortcuts";
import { useStore } from "../../data/store";

const zones = Intl.supportedValuesOf("timeZone");

/** Name, roles, and how this browser shows things. */
export function Profile() {
  const { user, organizational_units } = useSession();
  const [name, setName] = useState(user.full_name);
  const [zone, setZone] = useState(user.time_zone);
  const isDirty = name.trim() !== user.full_name || zone.trim() !== user.time_zone;
  const { colorScheme, setColorScheme } = useColorScheme();
  const isUtc = useStore(showsUtc);
  const hasShortcuts = useStore(usesShortcuts);
  const save = useChange(
    () => service.session.updateAccount({ full_name: name.trim(), time_zone: zone.trim() }),
    () => {
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      showNotice("Saved.");
    },
  );
  return (
    <div className="stack">
      <LeaveGuard isDirty={isDirty && !save.isPending} />
      <Panel title="You">
        <form
          className="stack form-narrow"
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate(undefined);
          }}
        >
          <TextInput
            label="Full name"
            required
            withAsterisk={false}
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label="E-mail address"
            readOnly
            value={user.email}
            description="An administrator can change it by inviting you again."
          />
          <TextInput
            label="Time zone"
            list="time-zones"
            maxLength={64}
            value={zone}
            onChange={(event) => setZone(event.currentTarget.value)}
            description="Times in e-mails to you are in this zone, with UTC next to them."
          />
          <datalist id="time-zones">
            {zones.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
          {save.error && <ErrorState error={save.error} />}
          <div>
            <Button
              type="submit"
              loading={save.isPending}
              disabled={name.trim() === "" || zone.trim() === "" || !isDirty}
            >
              Save changes
            </Button>
          </div>
        </form>
      </Panel>
      <Panel title="Roles that you hold">
        <ul className="plain-list stack-small">
          {organizational_units.map(({ organizational_unit_id: id, name: unitName, roles }) => (
            <li key={id}>
              <strong>
                <Untrusted text={roles.map((role) => role.name).join(", ")} />
              </strong>
              {" in "}
              <Untrusted text={unitName} /> and below
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title="In this browser">
        <div className="stack">
          <NativeSelect
            label="Colours"
            className="form-narrow"
            data={colorSchemes.map(([value, label]) => ({ value, label }))}
            value={colorScheme}
            onChange={({ currentTarget: { value } }) =>
              setColorScheme(colorSchemes.find(([scheme]) => scheme === value)?.[0] ?? "auto")
            }
          />
          <Switch
            label="Show all times in UTC"
            checked={isUtc}
            onChange={(event) => chooseUtc(event.currentTarget.checked)}
          />
          <Switch
            label="Keyboard shortcuts"
            description="The key / leads to the search of a list, arrows walk through its rows, Enter opens one."
            checked={hasShortcuts}
            onChange={(event) => chooseShortcuts(event.currentTarget.checked)}
          />
        </div>
      </Panel>
    </div>
  );
}
