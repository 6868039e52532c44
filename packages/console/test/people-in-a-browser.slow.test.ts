import { accessManagement } from "./journeys/access";
import { conflicts } from "./journeys/conflicts";
import { focus } from "./journeys/focus";
import { forms } from "./journeys/forms";
import { notifications } from "./journeys/notifications";
import { oneTimeCodes } from "./journeys/one-time-codes";
import { theShell } from "./journeys/shell";
import { signingIn } from "./journeys/signing-in";
import { shareWorld } from "./shared-world";

// One service and one browser for all: to start them, and to compile the console again, takes longer than most journeys.
shareWorld();
signingIn();
oneTimeCodes();
theShell();
focus();
forms();
notifications();
accessManagement();
conflicts();
