/** The styles of every page with a match on it, in their order: the first page does without them. */

import './play.css'
import './start.css'
import './panels.css'
import './over.css'
import './touch.css'
import './lab.css'
import './narrow.css'
