"""VDA 5050: a fleet that drives vehicles of any maker over MQTT, and simulated vehicles to try it on.

`Master` makes orders of what a `sidestep.Fleet` releases, and reports of the states of vehicles. `Vehicles`
are simulated ones. Both speak through a `Transport`: `Mqtt` is a client of a broker, `Loopback` a broker
within the process. What comes in is checked: a message that makes no sense is noticed, and does nothing.
"""

from .master import Master, Notice
from .mqtt import Mqtt
from .transport import Loopback, Transport, Will
from .vehicles import Vehicles, will_of

__all__ = ["Loopback", "Master", "Mqtt", "Notice", "Transport", "Vehicles", "Will", "will_of"]
