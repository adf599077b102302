"""The factsheet of a simulated vehicle: what it can do, in the words of either version."""

from __future__ import annotations

from typing import Any

from .messages import MOST_NODES
from .topics import Desk

INSTANT = ("startPause", "stopPause", "cancelOrder", "stateRequest", "factsheetRequest")
SIZE = 0.8  # metres across
HEIGHT = 0.4
SPEED = 1.0  # metres per second, both in length and per second again for acceleration


def factsheet(desk: Desk) -> dict[str, Any]:
    """The message, with its header."""
    header = desk.header("factsheet")
    common = {
        "headerId": header["header_id"],
        "timestamp": header["timestamp"],
        "version": header["version"],
        "manufacturer": header["manufacturer"],
        "serialNumber": header["serial_number"],
    }
    return common | (_version_3() if desk.version.level == "v3" else _version_2())


def _version_2() -> dict[str, Any]:
    return {
        "typeSpecification": {
            "seriesName": "simulated",
            "agvKinematic": "DIFF",
            "agvClass": "CARRIER",
            "maxLoadMass": 0.0,
            "localizationTypes": ["GRID"],
            "navigationTypes": ["VIRTUAL_LINE_GUIDED"],
        },
        "physicalParameters": {
            **{"speedMin": 0.0, "speedMax": SPEED, "accelerationMax": SPEED, "decelerationMax": SPEED},
            **{"heightMin": HEIGHT, "heightMax": HEIGHT, "width": SIZE, "length": SIZE},
        },
        "protocolLimits": {
            "maxStringLens": {},
            "maxArrayLens": {"order.nodes": MOST_NODES, "order.edges": MOST_NODES},
            "timing": {"minOrderInterval": 0.0, "minStateInterval": 0.0},
        },
        "protocolFeatures": {
            "optionalParameters": [],
            "agvActions": [{"actionType": kind, "actionScopes": ["INSTANT"]} for kind in INSTANT],
        },
        "agvGeometry": {},
        "loadSpecification": {},
    }


def _version_3() -> dict[str, Any]:
    return {
        "typeSpecification": {
            "seriesName": "simulated",
            "mobileRobotKinematics": "DIFFERENTIAL",
            "mobileRobotClass": "CARRIER",
            "maximumLoadMass": 0.0,
            "localizationTypes": ["GRID"],
            "navigationTypes": ["VIRTUAL_LINE_GUIDED"],
        },
        "physicalParameters": {
            **{"minimumSpeed": 0.0, "maximumSpeed": SPEED},
            **{"maximumAcceleration": SPEED, "maximumDeceleration": SPEED},
            **{"minimumHeight": HEIGHT, "maximumHeight": HEIGHT, "width": SIZE, "length": SIZE},
        },
        "protocolLimits": {
            "maximumStringLengths": {},
            "maximumArrayLengths": {"order.nodes": MOST_NODES, "order.edges": MOST_NODES},
            "timing": {"minimumOrderInterval": 0.0, "minimumStateInterval": 0.0},
        },
        "protocolFeatures": {
            "optionalParameters": [],
            "mobileRobotActions": [
                {
                    **{"actionType": kind, "actionScopes": ["INSTANT"]},
                    **{"pauseAllowed": False, "cancelAllowed": False},
                }
                for kind in INSTANT
            ],
        },
        "mobileRobotGeometry": {},
        "loadSpecification": {},
    }
