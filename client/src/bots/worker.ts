/** Searches beside the page: what runs in a Web Worker. */
import type { Endpoint } from "./messages";
import { serve } from "./serve";

serve(self as unknown as Endpoint);
