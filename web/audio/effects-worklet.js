/** What the worklet needs once a track goes through effects. */

import { Chain } from './effects-chain.js';
import { Player } from './player-worklet.js';

Player.Chain = Chain;
