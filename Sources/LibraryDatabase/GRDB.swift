/// GRDB enters by this door: whoever imports this module gets it, with subscripts of rows that throw in the place of its own.
@_exported public import GRDB
