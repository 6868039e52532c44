import { NativeSelect, Switch, TextInput } from "@mantine/core";
import { colorSchemes, useColorScheme } from "../../components/color-schemes";
import { LeaveGuard } from "../../components/leave-guard";
import { showNotice } from "../../components/notices";
import { Panel } from "../../components/panel";
import { SafeText } from "../../components/safe-text";
import { SaveButtons } from "../../components/save-buttons";
import { chooseUtc, showsUtc } from "../../components/time-text";
import { useApiForm } from "../../data/api-form";
import { useChange } from "../../data/change";
import { queryClient } from "../../data/query-client";
import { service } from "../../data/service";
import { sessionQuery, useSession } from "../../data/session";
import { chooseShortcuts, usesShortcuts } from "../../data/shortcuts";
import { useStore } from "../../data/store";

const zones = Intl.supportedValuesOf("timeZone");

/** Part of an account that its owner can change. */
interface Account {
  full_name: string;
  time_zone: string;
}

const labels = { full_name: "Full name", time_zone: "Time zone" };

/** Name, roles, and how this browser shows things. */
export function Profile() {
  const { user, organizational_units } = useSession();
  const save = useChange(
    (account: Account) => service.session.updateAccount(account),
    (_, account) => {
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      form.restart(account);
      showNotice("Saved.");
    },
  );
  const form = useApiForm<Account>({
    values: { full_name: user.full_name, time_zone: user.time_zone },
    labels,
    error: save.error,
  });
  const { colorScheme, setColorScheme } = useColorScheme();
  const isUtc = useStore(showsUtc);
  const hasShortcuts = useStore(usesShortcuts);
  return (
    <div className="stack">
      <LeaveGuard isDirty={form.isDirty && !save.isPending} />
      <Panel title="You">
        <form className="stack form-narrow" onSubmit={form.send(save.mutate)}>
          <TextInput {...form.field("full_name")} required maxLength={200} />
          <TextInput
            label="E-mail address"
            readOnly
            value={user.email}
            description="An administrator can change it by inviting you again."
          />
          <TextInput
            {...form.field("time_zone")}
            required
            list="time-zones"
            maxLength={64}
            description="Times in e-mails to you are in this zone, with UTC next to them."
          />
          <datalist id="time-zones">
            {zones.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
          <SaveButtons form={form} isBusy={save.isPending} />
        </form>
      </Panel>
      <Panel title="Roles that you hold">
        <ul className="plain-list stack-small">
          {organizational_units.map(({ organizational_unit_id: id, name: unitName, roles }) => (
            <li key={id}>
              <strong>
                <SafeText text={roles.map((role) => role.name).join(", ")} />
              </strong>
              {" in "}
              <SafeText text={unitName} /> and below
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
