import { accessManagement } from "./journeys/access";
import { backups } from "./journeys/backups";
import { badDays } from "./journeys/bad-days";
import { byHand } from "./journeys/by-hand";
import { conflicts } from "./journeys/conflicts";
import { firstPaint } from "./journeys/first-paint";
import { looksOfPages } from "./journeys/looks";
import { manyUnits } from "./journeys/many-units";
import { notifications } from "./journeys/notifications";
import { oneTimeCodes } from "./journeys/one-time-codes";
import { protection } from "./journeys/protection";
import { theShell } from "./journeys/shell";
import { signingIn } from "./journeys/signing-in";
import { tasks } from "./journeys/tasks";
import { shareWorld } from "./shared-world";

// One service and one browser for all: to start them, and to compile the console again, takes longer than most journeys.
shareWorld();
signingIn();
oneTimeCodes();
theShell();
tasks();
backups();
protection();
notifications();
accessManagement();
conflicts();
byHand();
badDays();
looksOfPages();
firstPaint();
// They leave so many units behind that trees look otherwise.
manyUnits();
