"""The public names, for type checkers."""

from dpchoose import datasets as datasets
from dpchoose.mechanisms.exponential import Exponential as Exponential
from dpchoose.mechanisms.gaussian import Gaussian as Gaussian
from dpchoose.mechanisms.laplace import Laplace as Laplace
from dpchoose.mechanisms.randomized_response import RandomizedResponse as RandomizedResponse
from dpchoose.risk.bounds import average_risk as average_risk
from dpchoose.risk.bounds import tight_bound as tight_bound
from dpchoose.risk.bounds import upper_bound as upper_bound
from dpchoose.risk.inverse import UnattainableRisk as UnattainableRisk
from dpchoose.risk.inverse import epsilon_from_risk as epsilon_from_risk
from dpchoose.risk.odds import after as after
from dpchoose.risk.odds import odds_factor as odds_factor
from dpchoose.risk.odds import relative_risk as relative_risk
from dpchoose.risk.posterior import confidence as confidence
from dpchoose.risk.posterior import disclosure_risk as disclosure_risk
from dpchoose.risk.posterior import largest_posterior as largest_posterior
from dpchoose.risk.posterior import posterior as posterior
from dpchoose.sensitivity.global_local import Sensitivity as Sensitivity
from dpchoose.sensitivity.global_local import global_sensitivity as global_sensitivity
from dpchoose.sensitivity.global_local import local_sensitivity as local_sensitivity
from dpchoose.sensitivity.limits import limits_sensitivity as limits_sensitivity
from dpchoose.worlds.subsets import TooManyDatasets as TooManyDatasets
from dpchoose.worlds.worlds import Worlds as Worlds
from dpchoose.worlds.worlds import possible_worlds as possible_worlds
from dpchoose.worlds.worlds import world_answers as world_answers
from dpchoose.your_data.recommend import recommend as recommend
from dpchoose.your_data.record import record_risk as record_risk
from dpchoose.your_data.result import Recommendation as Recommendation

__version__: str
__all__: list[str]
