// One after the other in one process, since they share the network that they break.
import "./threads.js";
import "./messages.js";
import "./streams.js";
import "./runs.js";
import "./operator.js";
import "./watching.js";
