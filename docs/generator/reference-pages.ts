import { errorsPage, fieldsPage, filtersPage, operationsPage, permissionsPage } from "./api-pages";
import { clientPage } from "./client-page";
import { commandsPage } from "./commands-page";
import { errorCodesPage } from "./error-codes-page";
import { metricsPage } from "./metrics-page";
import { settingsPage } from "./settings-page";

/** Every page of the reference by the name of its file. The same code always gives the same text. */
export async function referencePages(): Promise<Map<string, string>> {
  return new Map([
    ["operations.md", operationsPage()],
    ["fields.md", fieldsPage()],
    ["filters.md", filtersPage()],
    ["errors.md", errorsPage()],
    ["error-codes.md", errorCodesPage()],
    ["permissions.md", permissionsPage()],
    ["settings.md", settingsPage()],
    ["metrics.md", metricsPage()],
    ["client.md", clientPage()],
    ["commands.md", await commandsPage()],
  ]);
}
